/** One document with its key and one response. */

import { at, commonest, countUpTo, firstWhere, grouped } from "./lists";
import { count } from "./numbers";
import { spaceBetween } from "./spacing";
import type { ErrorData, Looks, SideData, SideNumber, SystemData, TextData } from "./types";

/** The key or a response: its mentions by entity, in the order of the text. */
export class Side {
  readonly ofEntity: number[][];
  readonly looks: Looks;

  constructor(readonly data: SideData) {
    this.ofEntity = grouped(data.mentions, data.entities.length);
    for (const mentions of this.ofEntity)
      mentions.sort((a, b) => this.firstToken(a) - this.firstToken(b) || a - b);
    this.looks = data.looks;
  }

  get size(): number {
    return this.data.mentions.length;
  }

  entityOf(mention: number): number {
    return at(at(this.data.mentions, mention), 0);
  }

  /** List the first and the last token of each piece of a mention. */
  piecesOf(mention: number): number[] {
    return at(this.data.mentions, mention).slice(1);
  }

  /** List the mentions that have the same words, in the order of the data. */
  alike(mention: number): number[] {
    return this.withPieces(this.piecesOf(mention));
  }

  /** List the mentions that have these words. */
  withPieces(pieces: readonly number[]): number[] {
    const name = pieces.join();
    return this.data.mentions.flatMap((each, mention) =>
      each.length === pieces.length + 1 && each[1] === pieces[0] && each.slice(1).join() === name ? [mention] : [],
    );
  }

  firstToken(mention: number): number {
    return at(at(this.data.mentions, mention), 1);
  }

  /** List the mentions of an entity that begin between two tokens. */
  between(entity: number, start: number, end: number): number[] {
    const mentions = this.ofEntity[entity] ?? [];
    const behind = (token: number): number => firstWhere(mentions.length, (place) => this.firstToken(at(mentions, place)) > token);
    return mentions.slice(behind(start - 1), behind(end));
  }

  classOf(mention: number): string | null {
    return this.data.classes?.[mention] ?? null;
  }
}

/** An error and its place. */
export interface PlacedError extends ErrorData {
  /** Its number in the data. */
  number: number;
  /** Its first token. */
  token: number;
  /** Its first mention on each side. */
  firsts: [number, number];
}

/** Classes of mentions that do not name an entity. */
const WITHOUT_NAME = new Set(["pronoun", "zero"]);

/** The alignment of the two mentions of a span error. */
const OVERLAP = "overlap";

export class Text {
  readonly words: string[];
  readonly sentences: number[];
  readonly empty: Set<number>;
  readonly sides: [Side, Side];
  /** The mention of the other side that each mention is aligned to, or -1. */
  readonly partner: [Int32Array, Int32Array];
  readonly errors: PlacedError[];
  /** The errors of each mention that has any. */
  readonly errorsOf: [Map<number, number[]>, Map<number, number[]>];

  constructor(
    data: TextData,
    readonly system: number,
  ) {
    const response = at(data.systems, system);
    this.words = data.words;
    this.sentences = data.sentences;
    this.empty = new Set(data.empty);
    this.sides = [new Side(data.key), new Side(response)];
    this.partner = partners(response, data.key.mentions.length);
    this.response = response;
    this.errors = response.errors
      .map((error, number) => this.placed(error, number))
      .sort((a, b) => a.token - b.token);
    this.errorsOf = [this.byMention("key_mentions"), this.byMention("response_mentions")];
  }

  private readonly response: SystemData;
  private places: Map<number, number> | null = null;

  /** Return how a mention of the response was aligned. */
  why(mention: number): string {
    return this.response.why?.[mention] ?? "exact";
  }

  /** Return what fixing all errors of a key entity gains, as a fraction; null if it is not known. */
  gainOf(entity: number): number | null {
    const gain = this.response.gains?.[entity];
    return gain === null || gain === undefined ? null : gain / 1e6;
  }

  /** Return whether a mention was matched. Overlap alone is not a match. */
  isMatched(side: SideNumber, mention: number): boolean {
    const partner = at(this.partner[side], mention);
    return partner >= 0 && this.why(side ? mention : partner) !== OVERLAP;
  }

  /** Return the entity of the other side that shares most mentions with an entity. */
  counterpart(side: SideNumber, entity: number): number {
    if (side === 1) return this.response.entity_partner[entity] ?? -1;
    const other = this.sides[1];
    return commonest(this.partnersOf(0, entity).map((mention) => other.entityOf(mention)));
  }

  /** List the mentions of the other side that those of an entity are aligned to. */
  partnersOf(side: SideNumber, entity: number): number[] {
    const mentions = this.sides[side].ofEntity[entity] ?? [];
    return mentions.map((mention) => at(this.partner[side], mention)).filter((mention) => mention >= 0);
  }

  /** Write the words from one token to another. */
  wordsFrom(start: number, end: number): string {
    let text = this.word(start);
    for (let token = start + 1; token <= end; token++)
      text += spaceBetween(at(this.words, token - 1), at(this.words, token)) + this.word(token);
    return text;
  }

  /** Write the words of a mention, with dots between its pieces. */
  phrase(side: SideNumber, mention: number): string {
    const pieces = this.sides[side].piecesOf(mention);
    const texts: string[] = [];
    for (let place = 0; place < pieces.length; place += 2)
      texts.push(this.wordsFrom(at(pieces, place), at(pieces, place + 1)));
    return texts.join(" … ");
  }

  /** Write the words of an entity's best mention. A pronoun or zero alone would say nothing, so its sentence follows. */
  nameOf(side: SideNumber, entity: number): string {
    const found = this.sides[side];
    const chosen = found.data.names?.[entity] ?? found.ofEntity[entity]?.[0];
    if (chosen === undefined) return "";
    const words = this.phrase(side, chosen);
    if (!WITHOUT_NAME.has(found.classOf(chosen) ?? "")) return words;
    return `“${words}” in sentence ${count(this.sentenceOf(found.firstToken(chosen)) + 1)}`;
  }

  /** Quote an entity's name as errors do: by the key entity with the same label, if there is one. */
  calledOf(side: SideNumber, entity: number): string {
    const label = this.sides[side].looks.label[entity];
    const [key] = this.sides;
    const known = side ? key.looks.label.indexOf(label ?? "") : -1;
    const name = known < 0 ? this.nameOf(side, entity) : this.nameOf(0, known);
    return name.startsWith("“") ? name : `“${name}”`;
  }

  /** Return the label of a mention's entity. */
  labelOf(side: SideNumber, mention: number): string {
    const found = this.sides[side];
    return found.looks.label[found.entityOf(mention)] ?? "";
  }

  /** Return the place in `errors` of an error with this number, or -1. */
  placeOf(number: number | null): number {
    if (number === null) return -1;
    this.places ??= new Map(this.errors.map((error, place) => [error.number, place]));
    return this.places.get(number) ?? -1;
  }

  sentenceOf(token: number): number {
    return countUpTo(this.sentences, token) - 1;
  }

  private word(token: number): string {
    const word = at(this.words, token);
    return this.empty.has(token) ? zero(word) : word;
  }

  private placed(error: ErrorData, number: number): PlacedError {
    const firsts = [first(this.sides[0], error.key_mentions), first(this.sides[1], error.response_mentions)];
    const tokens = firsts.map((mention, side) =>
      mention < 0 ? Infinity : at(this.sides, side).firstToken(mention),
    );
    const token = Math.min(...tokens);
    return {
      ...error,
      number,
      token: Number.isFinite(token) ? token : 0,
      firsts: firsts as [number, number],
    };
  }

  private byMention(field: "key_mentions" | "response_mentions"): Map<number, number[]> {
    const found = new Map<number, number[]>();
    this.errors.forEach((error, number) => {
      for (const mention of error[field]) found.set(mention, [...(found.get(mention) ?? []), number]);
    });
    return found;
  }
}

/** Write an empty node: its sign and, if it has one, its form. */
export function zero(form: string): string {
  return form && form !== "_" ? `∅\u2009${form}` : "∅";
}

function partners(response: SystemData, keyMentions: number): [Int32Array, Int32Array] {
  const ofResponse = Int32Array.from(response.partner);
  const ofKey = new Int32Array(keyMentions).fill(-1);
  ofResponse.forEach((mention, place) => {
    if (mention >= 0) ofKey[mention] = place;
  });
  return [ofKey, ofResponse];
}

function first(side: Side, mentions: number[]): number {
  return mentions.reduce(
    (best, mention) => (best < 0 || side.firstToken(mention) < side.firstToken(best) ? mention : best),
    -1,
  );
}
