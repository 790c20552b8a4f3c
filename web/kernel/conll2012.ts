// Reads CoNLL-2012 strictly: a file with anything unusual is refused, with its line.

import { type Corpus, Refusal, type Role } from "./corpus";
import { RepeatedMention, owners } from "./table";

const BEGIN = /^#begin document \((.*)\);(?: part (\d+))?\s*$/;
const BRACKET = /\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)/y;
const NOTHING = new Set(["-", "_", "*"]);
const WORD_COLUMN = 3;

export function readConll2012(text: string, name: string, role: Role): Corpus {
  const corpus: Corpus = new Map();
  let reader: DocumentReader | null = null;
  text.split("\n").forEach((line, index) => {
    const refuse = (problem: string): never => {
      throw new Refusal(`${name}:${index + 1}: ${problem}`, "`scoref check` shows every fault of a file.");
    };
    const row = line.replace(/\r$/, "");
    if (row.trim() === "") return;
    if (row.startsWith("#begin document")) {
      const header = BEGIN.exec(row);
      if (!header) return refuse("this is not a header such as '#begin document (NAME); part 000'.");
      if (reader) return refuse("a document starts before '#end document'.");
      reader = new DocumentReader(`(${header[1]}); part ${String(Number(header[2] ?? 0)).padStart(3, "0")}`);
      if (corpus.has(reader.name)) return refuse(`document ${reader.name} is in the file twice.`);
    } else if (row.trimEnd() === "#end document") {
      if (!reader) return refuse("'#end document' without '#begin document'.");
      corpus.set(reader.name, reader.finish(role, refuse));
      reader = null;
    } else if (!reader) return refuse("this line is outside a document.");
    else if (row.startsWith("#")) return refuse("comments are not part of the format.");
    else reader.read(row, refuse);
  });
  if (reader) throw new Refusal(`${name}: the last document has no '#end document'.`);
  return corpus;
}

class DocumentReader {
  #entities = new Map<string, string[]>();
  #open = new Map<string, number[]>();
  #words: string[] = [];
  #hasWords = true;
  #length = 0;

  constructor(readonly name: string) {}

  read(row: string, refuse: (problem: string) => never): void {
    const columns = row.includes("\t") ? row.split("\t").map(strip) : strip(row).split(/ +/);
    if (columns.length < 2) return refuse("a token needs at least two columns.");
    if (columns.length > WORD_COLUMN + 1) this.#words.push(columns[WORD_COLUMN]!);
    else this.#hasWords = false;
    const token = this.#length++;
    const cell = columns.at(-1)!;
    if (cell === "") return refuse("the last column is empty. A token without a mention has '-'.");
    if (NOTHING.has(cell)) return;
    // One-token mentions come first, then opening and then closing brackets, whatever their order.
    const [single, opening, closing] = parse(cell) ?? refuse(`'${cell}' is not a list of brackets such as '(0|1)'.`);
    for (const label of single!) this.#add(label, token, token);
    for (const label of opening!) this.#open.set(label, [...(this.#open.get(label) ?? []), token]);
    for (const label of closing!) {
      const start = this.#open.get(label)?.pop();
      if (start === undefined) return refuse(`entity ${label} is closed but was never opened.`);
      this.#add(label, start, token);
    }
  }

  #add(label: string, start: number, end: number): void {
    const mention = `${start}-${end}`;
    const entity = this.#entities.get(label);
    if (entity) entity.push(mention);
    else this.#entities.set(label, [mention]);
  }

  finish(role: Role, refuse: (problem: string) => never) {
    for (const [label, starts] of this.#open) {
      if (starts.length > 0) return refuse(`entity ${label} of this document is opened but never closed.`);
    }
    const entities = [...this.#entities.values()];
    refuseRepetitions(entities, role, (mention) =>
      refuse(`document ${this.name} lists the tokens ${mention} twice, counted from 0.`),
    );
    return { entities, words: this.#hasWords ? this.#words : null, length: this.#length };
  }
}

/** Calls `refuse` for a mention that is listed twice. The rules for these are conventions of scoref. */
export function refuseRepetitions(entities: string[][], role: Role, refuse: (mention: string) => never): void {
  try {
    owners(entities, role);
  } catch (error) {
    if (error instanceof RepeatedMention) refuse(error.mention);
    throw error;
  }
}

/** Removes blanks, but not the other white space of Unicode. */
function strip(cell: string): string {
  return cell.replace(/^ +| +$/g, "");
}

/** The labels of one-token mentions, of opening and of closing brackets. */
function parse(cell: string): [string[], string[], string[]] | null {
  const labels: [string[], string[], string[]] = [[], [], []];
  let place = 0;
  while (place < cell.length) {
    BRACKET.lastIndex = place;
    const bracket = BRACKET.exec(cell);
    if (!bracket) return null;
    const kind = [1, 2, 3].find((group) => bracket[group] !== undefined)!;
    labels[kind - 1]!.push(bracket[kind]!);
    place = BRACKET.lastIndex;
    if (cell[place] === "|" && place + 1 < cell.length) place++;
  }
  return labels;
}
