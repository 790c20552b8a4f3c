/** The data in the page: the report as JSON, and each text compressed on its own. */

import type { ErrorsData } from "./findings";
import type { Report, TextData } from "./types";
import { type PackedText, restored } from "./unpacking";

/** Read the report. */
export function readReport(): Report {
  return JSON.parse(document.getElementById("report")?.textContent ?? "") as Report;
}

/** Unpack the errors of all documents. */
export function readErrors(): Promise<ErrorsData> {
  return unpacked<ErrorsData>(contentOf("errors-packed"));
}

/** Unpack the text of a document. */
export async function readText(number: number): Promise<TextData> {
  return restored(await unpacked<PackedText>(contentOf(`text-${number}`)));
}

/** Return the content of an element, or null. */
export function contentOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

/** Decode base64 of compressed JSON. */
export async function unpacked<T>(packed: string): Promise<T> {
  const letters = atob(packed.trim());
  const bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as T;
}
