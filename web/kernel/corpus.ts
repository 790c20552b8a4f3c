// Documents with their entities, read from text, and scores of two corpora.

import { readConll2012 } from "./conll2012";
import { readJsonLines } from "./json_lines";
import { type Counts, NOTHING, add, count } from "./metrics";
import { type Entities, RepeatedMention, tabulate } from "./table";

export type Role = "key" | "response";

export interface Document {
  entities: Entities;
  /** The words, if the file has them: both sides must have the same. */
  words: readonly string[] | null;
  /** The number of tokens, if the file has them. */
  length: number | null;
}

export type Corpus = Map<string, Document>;
export type Format = "CoNLL-2012" | "JSON lines";

/** Input that a page does not score, with the place and what to do instead. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly advice = "",
  ) {
    super(message);
  }
}

/** Entities of one line: blanks between mentions, a bar between entities. */
export function readLine(text: string): Entities {
  const entities = text.split("|").map((part) => part.split(/\s+/).filter((mention) => mention !== ""));
  return entities.filter((entity) => entity.length > 0);
}

const MOST_MENTIONS = 60;

/** Why entities that were typed cannot be shown, or nothing. */
export function problemOfEntities(key: Entities, response: Entities): string {
  if ([key, response].some((side) => side.flat().length > MOST_MENTIONS)) {
    return `There is room for ${MOST_MENTIONS} mentions on each side. scoref has no such limit.`;
  }
  try {
    tabulate(key, response);
  } catch (error) {
    if (error instanceof RepeatedMention) return `The ${error.side} lists ${error.mention} twice. Remove one of them.`;
    throw error;
  }
  return "";
}

export function writeLine(entities: Entities): string {
  return entities.map((entity) => entity.join(" ")).join(" | ");
}

export function formatOf(text: string, name: string): Format {
  const start = text.replace(/^\uFEFF/, "").trimStart();
  if (start === "") throw new Refusal(`${name} is empty.`);
  if (start.startsWith("#begin document")) return "CoNLL-2012";
  if (start.startsWith("{") || start.startsWith("[")) return "JSON lines";
  throw new Refusal(
    `${name} is neither CoNLL-2012 nor JSON lines.`,
    "scoref reads more formats than this page and detects them.",
  );
}

// Characters that no text has, and ends of lines that other programs see elsewhere.
const ODD = /[\0-\x08\x0b\x0c\x0e-\x1f]|\r(?!\n)/;

export function readCorpus(text: string, name: string, role: Role): Corpus {
  const odd = ODD.exec(text);
  if (odd) {
    const line = text.slice(0, odd.index).split("\n").length;
    const code = odd[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    throw new Refusal(`${name}:${line}: the line contains the control character U+${code}.`);
  }
  const read = formatOf(text, name) === "CoNLL-2012" ? readConll2012 : readJsonLines;
  return read(text.replace(/^\uFEFF/, ""), name, role);
}

/** Counts over all documents; both sides must have the same documents and the same text. */
export function countCorpora(key: Corpus, response: Corpus): Counts {
  for (const name of key.keys()) {
    if (!response.has(name)) throw new Refusal(`The response lacks the document ${name}.`);
  }
  let counts = NOTHING;
  for (const [name, document] of response) {
    const gold = key.get(name);
    if (gold === undefined) throw new Refusal(`The key lacks the document ${name}.`);
    checkText(name, gold, document);
    counts = add(counts, count(gold.entities, document.entities));
  }
  return counts;
}

function checkText(name: string, key: Document, response: Document): void {
  if (key.length !== null && response.length !== null && key.length !== response.length) {
    throw new Refusal(
      `Document ${name} has ${key.length} tokens in the key and ${response.length} in the response.`,
    );
  }
  const { words } = key;
  const place = words && response.words ? words.findIndex((word, index) => word !== response.words![index]) : -1;
  if (place >= 0) {
    throw new Refusal(
      `Document ${name}: token ${place + 1} is '${words![place]}' in the key and ` +
        `'${response.words![place]}' in the response.`,
    );
  }
}
