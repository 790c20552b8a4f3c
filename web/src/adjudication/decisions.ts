/** Decisions of a curator, the key they lead to, and the file they are saved in.
 *
 * `KeyState` does what `scoref.tools.agree.adjudication.KeyState` does, step by step. A test compares both.
 */

import { at } from "../lists";

export const LEFT_OUT = -1;
export const KINDS = ["take", "merge", "split", "drop", "keep", "undecidable"] as const;
export type Kind = (typeof KINDS)[number];

/** A decision about mentions of one dispute. Mentions are numbers of words. */
export interface Decision {
  document: string;
  mentions: string[];
  decision: Kind;
  /** The annotator whose reading is chosen. */
  annotator?: string;
  /** The mention whose entity is merged. */
  with?: string;
}

export interface Annotator {
  name: string;
  fingerprint: string;
}

export interface Dispute {
  document: number;
  units: number[];
  words: string;
}

/** The data of the page. */
export interface Data {
  format: string;
  version: number;
  scoref: string;
  annotators: Annotator[];
  majority: string;
  keeps_singletons: boolean;
  documents: { name: string; has: boolean[]; ids: string[] }[];
  disputes: Dispute[];
}

/** A document: units are mentions of any annotator, in the order of the text. */
export interface DocumentData {
  words: string[];
  sentences: number[];
  empty: number[];
  mentions: number[][];
  /** The entity of each unit in the majority's key, or -1. */
  key: number[];
  /** The same for each annotator; null if the annotator does not have the document. */
  annotators: (number[] | null)[];
}

/** The key of a document after some decisions. */
export class KeyState {
  readonly entity: number[];
  private readonly members = new Map<number, Set<number>>();
  private readonly decided = new Set<number>();
  private next: number;

  constructor(private readonly document: Pick<DocumentData, "key" | "annotators">) {
    this.entity = [...document.key];
    this.entity.forEach((entity, unit) => this.membersOf(entity).add(unit));
    this.next = Math.max(LEFT_OUT, ...this.entity);
  }

  /** Change the key as a decision says. */
  apply(decision: Kind, units: readonly number[], annotator = -1, other = -1): void {
    if (decision === "take") this.take(units, annotator);
    else if (decision === "merge") for (const unit of units) this.join(other, unit);
    else if (decision === "split") this.move(units, ++this.next);
    else if (decision === "drop") this.move(units, LEFT_OUT);
    if (decision !== "undecidable") for (const unit of units) this.decided.add(unit);
  }

  membersOf(entity: number): Set<number> {
    let members = this.members.get(entity);
    if (!members) this.members.set(entity, (members = new Set()));
    return members;
  }

  private take(units: readonly number[], annotator: number): void {
    this.move(units, LEFT_OUT);
    const theirs = this.document.annotators[annotator] ?? [];
    const own = theirs[at(units, 0)] ?? LEFT_OUT;
    if (own === LEFT_OUT) return;
    const company = theirs.flatMap((entity, unit) =>
      entity === own && !units.includes(unit) && at(this.entity, unit) !== LEFT_OUT ? [unit] : [],
    );
    const counts = new Map<number, number>();
    for (const unit of company) {
      const entity = at(this.entity, unit);
      counts.set(entity, (counts.get(entity) ?? 0) + 1);
    }
    let [target, most] = [LEFT_OUT, 0];
    for (const [entity, count] of counts) if (count > most) [target, most] = [entity, count];
    if (target !== LEFT_OUT && this.isDecided(target)) return this.move(units, target);
    const free = company.filter((unit) => !this.isDecided(at(this.entity, unit)));
    this.move([...units, ...free], ++this.next);
  }

  private isDecided(entity: number): boolean {
    return [...this.membersOf(entity)].some((unit) => this.decided.has(unit));
  }

  private join(other: number, unit: number): void {
    if (at(this.entity, other) === LEFT_OUT) this.move([other], ++this.next);
    const entity = at(this.entity, unit);
    const moved = entity === LEFT_OUT ? [unit] : [...this.membersOf(entity)];
    this.move(moved, at(this.entity, other));
  }

  private move(units: readonly number[], entity: number): void {
    for (const unit of units) {
      this.membersOf(at(this.entity, unit)).delete(unit);
      this.membersOf(entity).add(unit);
      this.entity[unit] = entity;
    }
  }
}

/** Add a decision; it replaces earlier ones about the same mentions. */
export function withDecision(decisions: readonly Decision[], decision: Decision): Decision[] {
  const isReplaced = (old: Decision): boolean =>
    old.document === decision.document && old.mentions.every((mention) => decision.mentions.includes(mention));
  return [...decisions.filter((old) => !isReplaced(old)), decision];
}

export type Status = "open" | "undecidable" | "decided";

/** Finds the mentions of decisions, and the disputes that are open. */
export class Record {
  private readonly numbers: Map<string, number>;
  private readonly units: Map<string, number>[];
  private readonly disputeOf: Map<number, number>[];

  constructor(readonly data: Data) {
    this.numbers = new Map(data.documents.map(({ name }, number) => [name, number]));
    this.units = data.documents.map(({ ids }) => new Map(ids.map((id, unit) => [id, unit])));
    this.disputeOf = data.documents.map(() => new Map());
    data.disputes.forEach(({ document, units }, number) => {
      for (const unit of units) at(this.disputeOf, document).set(unit, number);
    });
  }

  /** Write a decision about units of a document. */
  decision(document: number, units: readonly number[], decision: Kind, annotator = -1, other = -1): Decision {
    const { name, ids } = at(this.data.documents, document);
    return {
      document: name,
      mentions: units.map((unit) => at(ids, unit)),
      decision,
      ...(decision === "take" && { annotator: at(this.data.annotators, annotator).name }),
      ...(decision === "merge" && { with: at(ids, other) }),
    };
  }

  /** Apply the decisions about a document to its majority. */
  state(document: number, data: DocumentData, decisions: readonly Decision[]): KeyState {
    const state = new KeyState(data);
    for (const decision of this.of(document, decisions)) {
      const annotator = this.data.annotators.findIndex(({ name }) => name === decision.annotator);
      const other = at(this.units, document).get(decision.with ?? "") ?? -1;
      state.apply(decision.decision, this.unitsOf(document, decision), annotator, other);
    }
    return state;
  }

  of(document: number, decisions: readonly Decision[]): Decision[] {
    const { name } = at(this.data.documents, document);
    return decisions.filter((decision) => decision.document === name);
  }

  unitsOf(document: number, decision: Decision): number[] {
    return decision.mentions.map((id) => at(this.units, document).get(id) ?? -1);
  }

  /** Return the state of each dispute. */
  statuses(decisions: readonly Decision[]): Status[] {
    const last: Map<number, Kind>[] = this.data.documents.map(() => new Map());
    for (const decision of decisions) {
      const document = this.numbers.get(decision.document) ?? -1;
      for (const unit of this.unitsOf(document, decision)) at(last, document).set(unit, decision.decision);
    }
    return this.data.disputes.map(({ document, units }) => {
      const kinds = units.map((unit) => at(last, document).get(unit));
      if (kinds.includes(undefined)) return "open";
      return kinds.includes("undecidable") ? "undecidable" : "decided";
    });
  }

  /** Write the file, with a line for each annotator and each decision. */
  written(decisions: readonly Decision[]): string {
    const { format, version, annotators, majority } = this.data;
    const lines = (rows: readonly object[]): string =>
      rows.length ? `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n ]` : "[]";
    const fields: [string, string][] = [
      ["format", JSON.stringify(format)],
      ["version", JSON.stringify(version)],
      ["annotators", lines(annotators)],
      ["majority", JSON.stringify(majority)],
      ["decisions", lines(decisions)],
      ["checksum", JSON.stringify(checksum(decisions))],
    ];
    return `{\n${fields.map(([name, value]) => ` "${name}": ${value}`).join(",\n")}\n}\n`;
  }

  /** Read a file. An error has a message for the reader. */
  read(text: string): Decision[] {
    let file: unknown;
    try {
      file = JSON.parse(text);
    } catch {
      throw new Error("This file is not JSON, or not all of it. Nothing was changed.");
    }
    const { data } = this;
    if (!isObject(file) || file["format"] !== data.format)
      throw new Error("This is not a file of decisions. Nothing was changed.");
    if (file["version"] !== data.version)
      throw new Error("These decisions were saved by another version of scoref. Nothing was changed.");
    const decisions = file["decisions"];
    if (!Array.isArray(decisions) || !decisions.every(isDecision) || file["checksum"] !== checksum(decisions))
      throw new Error("This file of decisions is damaged. Nothing was changed.");
    const isSame = JSON.stringify(file["annotators"]) === JSON.stringify(data.annotators);
    if (!isSame || file["majority"] !== data.majority)
      throw new Error("These decisions were made about other annotations. Nothing was changed.");
    if (!decisions.every((decision) => this.isKnown(decision)))
      throw new Error("This file of decisions is damaged: it decides something that is not in dispute.");
    return decisions;
  }

  private isKnown({ document: name, mentions, annotator, with: other }: Decision): boolean {
    const document = this.numbers.get(name);
    if (document === undefined) return false;
    const units = mentions.map((id) => at(this.units, document).get(id));
    const disputes = new Set(units.map((unit) => at(this.disputeOf, document).get(unit ?? -1)));
    if (disputes.size !== 1 || disputes.has(undefined)) return false;
    if (other !== undefined) return at(this.units, document).has(other) && !mentions.includes(other);
    if (annotator === undefined) return true;
    const place = this.data.annotators.findIndex((one) => one.name === annotator);
    return place >= 0 && at(at(this.data.documents, document).has, place);
  }
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const FIELDS = ["document", "mentions", "decision", "annotator", "with"];

function isDecision(value: unknown): value is Decision {
  if (!isObject(value) || !Object.keys(value).every((name) => FIELDS.includes(name))) return false;
  const { document, mentions, decision, annotator, with: other } = value;
  return (
    typeof document === "string" &&
    Array.isArray(mentions) &&
    mentions.length > 0 &&
    mentions.every((mention) => typeof mention === "string") &&
    KINDS.includes(decision as Kind) &&
    (decision === "take" ? typeof annotator === "string" : annotator === undefined) &&
    (decision === "merge" ? typeof other === "string" : other === undefined)
  );
}

/** Return the CRC-32 of the lines of decisions in hexadecimal digits. */
export function checksum(decisions: readonly Decision[]): string {
  const lines = decisions.map((each) =>
    [each.document, each.mentions.join(" "), each.decision, each.annotator ?? "", each.with ?? ""].join("\t"),
  );
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(lines.join("\n"))) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}
