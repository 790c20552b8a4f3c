/** The data that the page holds: the report as JSON, each text packed by itself. */

import type { ErrorsData } from "./findings";
import type { Report, TextData } from "./types";

/** Read the report. */
export function readReport(): Report {
  return JSON.parse(document.getElementById("report")?.textContent ?? "") as Report;
}

/** Unpack the errors of all documents. */
export function readErrors(): Promise<ErrorsData> {
  return unpacked<ErrorsData>(contentOf("errors-packed"));
}

/** Unpack the text of a document. */
export function readText(number: number): Promise<TextData> {
  return unpacked<TextData>(contentOf(`text-${number}`));
}

function contentOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

/** Turn base64 of gzip of JSON into what it holds. */
export async function unpacked<T>(packed: string): Promise<T> {
  const letters = atob(packed.trim());
  const bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as T;
}
