/** The data that the page holds: the report as JSON, each text packed by itself. */

import type { Report, TextData } from "./types";

/** Read the report. */
export function readReport(): Report {
  return JSON.parse(document.getElementById("report")?.textContent ?? "") as Report;
}

const opened = new Map<number, Promise<TextData>>();
const KEPT = 4;

/** Unpack the text of a document; the last few are kept. */
export function readText(number: number): Promise<TextData> {
  const found = opened.get(number) ?? unpacked(document.getElementById(`text-${number}`)?.textContent ?? "");
  opened.delete(number);
  opened.set(number, found);
  for (const oldest of [...opened.keys()].slice(0, -KEPT)) opened.delete(oldest);
  return found;
}

/** Turn base64 of gzip of JSON into what it holds. */
export async function unpacked(packed: string): Promise<TextData> {
  const letters = atob(packed.trim());
  const bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as TextData;
}
