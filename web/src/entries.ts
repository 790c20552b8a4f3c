/** Entries of the list of errors: an error, or a group of similar ones. */

import { h } from "./dom";
import { signOf } from "./errors";
import type { Findings, Group } from "./findings";
import { at, commonest } from "./lists";
import { counted, signed } from "./numbers";
import { spaceBetween } from "./spacing";
import { say } from "./terms";
import type { Kind, Report } from "./types";
import type { Wanted } from "./wanted";

/** Draw an error: its kind, the sentence about it, and its place. The lines of text are added later. */
export function errorEntry(
  report: Report,
  findings: Findings,
  row: number,
  gain: HTMLElement | null,
  document: string,
  open: () => void,
): HTMLElement {
  const kind = report.kinds[at(findings.columns.kind, row)];
  const name = h("span", { class: "entry-document", dir: "auto" }, document || "(no name)");
  return entry(kind, sentenceOf(findings, row, kind), h("span", { class: "entry-place" }, name, gain), open);
}

/** Return the number of digits that distinguishes errors if this is the largest gain. */
export function digitsOf(most: number): number {
  return most >= 0.01 ? 2 : most >= 0.001 ? 3 : 4;
}

/** Write the gain of an error with enough digits to distinguish errors. */
export function gainOf(value: number | null, most: number, label: string): HTMLElement | null {
  if (value === null) return null;
  const title = `Change of ${label} in points if only this ${say().error} were ${say().fixed}`;
  return h("b", { class: "gain", title }, signed(value, digitsOf(most)));
}

/** Draw a group: what its errors have in common, and their number. */
export function groupEntry(
  report: Report,
  findings: Findings,
  { rows }: Group,
  by: Wanted["group"],
  open: () => void,
): HTMLElement {
  const first = at(rows, 0);
  const places = new Set(rows.map((row) => at(findings.document, row)));
  const sum = counted(rows.length, say().error);
  if (by === "document") {
    const name = report.documents[at(findings.document, first)]?.name || "(no name)";
    return entry(undefined, [words(name)], h("span", { class: "entry-place" }, sum), open);
  }
  const kind = report.kinds[at(findings.columns.kind, first)];
  const company = by === "pair" && findings.text(first, "company");
  const where = `${sum} in ${counted(places.size, "document")}`;
  const said = [
    words(tidied(findings.data.texts[commonest(rows.map((row) => at(findings.columns.words, row)))] ?? "")),
    ...(company ? [h("small", {}, " with "), isolated(company)] : []),
    h("small", {}, ` ${kind?.label ?? ""}`),
  ];
  return entry(kind, said, h("span", { class: "entry-place" }, where), open);
}

/** Write the words that an entry is about, whatever their direction. */
function words(text: string): HTMLElement {
  return h("b", {}, h("bdi", {}, text));
}

function entry(
  kind: Kind | undefined,
  said: (HTMLElement | string)[],
  place: HTMLElement,
  open: () => void,
): HTMLElement {
  const name =
    kind &&
    h(
      "span",
      { class: "entry-kind", title: kind.label },
      h("b", { class: "sign", "aria-hidden": "true" }, signOf(kind)),
      h("span", { class: "unseen" }, `${kind.label}: `),
    );
  const made = h(
    "li",
    { class: "entry" },
    h("button", { type: "button" }, name, h("span", { class: "entry-words" }, ...said)),
    place,
    h("div", { class: "entry-lines" }),
  );
  made.addEventListener("click", open);
  return made;
}

/** Write the sentence about an error, as in the terminal and in the panel. */
export function sentenceOf(findings: Findings, row: number, kind: Kind | undefined): (HTMLElement | string)[] {
  const more = at(findings.columns.more, row);
  const mention = quoted(words(tidied(findings.text(row, "words"))));
  const several = more ? [` and ${counted(more, "other mention")}`] : [];
  const parts: Record<string, (HTMLElement | string)[]> = {
    ours: [...mention, ...several, " of ", isolated(findings.text(row, "entity"))],
    surplus: [...mention, ...several],
    theirs: [...mention, ...several, more ? ", which are not in the key," : ", which is not in the key,"],
    others: [isolated(findings.text(row, "company"))],
    found: quoted(words(tidied(findings.text(row, "company")))),
    wanted: quoted(isolated(findings.text(row, "words"))),
    amount: [findings.amount(row)],
    was: [more ? "were" : "was"],
  };
  const template = kind?.sentence || "{ours}";
  const agreement = findings.agreement(row);
  const sentence = template.split(/\{(\w+)\}/).flatMap((text, place) => (place % 2 ? (parts[text] ?? []) : [text]));
  return agreement ? [...sentence, `; ${agreement}`] : sentence;
}

/** Return the text of an element. */
export function textOf(part: HTMLElement | string): string {
  return typeof part === "string" ? part : (part.textContent ?? "");
}

function quoted(mention: HTMLElement): (HTMLElement | string)[] {
  return ['"', mention, '"'];
}

function isolated(text: string): HTMLElement {
  return h("bdi", {}, tidied(text));
}

/** Join words with the spaces of the text. */
export function tidied(text: string): string {
  const words = text.split(" ");
  return words.map((word, place) => (place ? spaceBetween(at(words, place - 1), word) : "") + word).join("");
}
