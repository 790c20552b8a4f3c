/** The errors of all documents in columns: filters, order and groups. */

import { at } from "./lists";
import { folded } from "./search";
import type { DocumentEntry, ErrorGroup } from "./types";
import type { Facet, Wanted } from "./wanted";

/** Columns of the errors of a system. Texts are places in a list, or -1. */
export interface ErrorColumns {
  /** The number of errors of each document. */
  count: number[];
  kind: number[];
  class: number[] | null;
  distance: number[] | null;
  size: number[];
  words: number[];
  /** The entity of the mention in the key. */
  entity: number[];
  /** The entity that the mention was put with, or the words of a span error. */
  company: number[];
  /** How the words of a span error differ. */
  amount: number[];
  /** The number of mentions after the first one. */
  more: number[];
  /** Which other annotators agree with the response. */
  agree?: number[] | null;
  /** The gain of fixing only this error, by metric: integers with a number of decimal digits. */
  gains?: Record<string, { digits: number; values: number[] }>;
  /** The other systems that are wrong there, as bits. */
  others: number[];
}

export interface ErrorsData {
  systems: ErrorColumns[];
  classes: string[];
  distances: string[];
  texts: string[];
}

/** Errors that are alike. */
export interface Group {
  rows: number[];
}

/** The errors that pass the filters, and the number that each value of a filter would leave. */
export interface Selection {
  rows: number[];
  /** By code; errors without a code are left out. */
  counts: Record<Facet, Int32Array>;
}

const TEXTS = ["words", "entity", "company"] as const;

/** The errors of one system. */
export class Findings {
  readonly size: number;
  readonly document: Int32Array;
  /** The place of each error among those of its document. */
  readonly number: Int32Array;
  private readonly start: number[] = [];
  private readonly codes: Record<Facet, ArrayLike<number>>;
  private readonly codeCounts: Record<Facet, number>;
  private readonly genres: string[];

  constructor(
    readonly data: ErrorsData,
    readonly system: number,
    documents: readonly DocumentEntry[],
  ) {
    const { columns } = this;
    this.size = columns.kind.length;
    this.document = new Int32Array(this.size);
    this.number = new Int32Array(this.size);
    let row = 0;
    columns.count.forEach((count, place) => {
      this.start.push(row);
      this.document.fill(place, row, row + count);
      for (let number = 0; number < count; number++) this.number[row++] = number;
    });
    this.genres = genresOf(documents);
    const genre = documents.map((each) => this.genres.indexOf(each.genre ?? ""));
    const unknown = new Int8Array(this.size).fill(-1);
    this.codes = {
      kind: columns.kind,
      class: columns.class ?? unknown,
      distance: columns.distance ?? unknown,
      size: columns.size,
      document: this.document,
      genre: Array.from(this.document, (place) => genre[place] ?? -1),
    };
    const most = (codes: ArrayLike<number>): number => {
      let found = -1;
      for (let row = 0; row < codes.length; row++) found = Math.max(found, at(codes, row));
      return found + 1;
    };
    this.codeCounts = Object.fromEntries(
      Object.entries(this.codes).map(([facet, codes]) => [facet, most(codes)]),
    ) as Record<Facet, number>;
  }

  get columns(): ErrorColumns {
    return at(this.data.systems, this.system);
  }

  /** Return one of the texts of an error. */
  text(row: number, which: (typeof TEXTS)[number]): string {
    return this.data.texts[at(this.columns[which], row)] ?? "";
  }

  /** Return the row of an error by its place in its document. */
  rowOf(document: number, number: number): number {
    return at(this.start, document) + number;
  }

  /** Name the other annotators who agree with the response. */
  agreement(row: number): string {
    return this.data.texts[this.columns.agree?.[row] ?? -1] ?? "";
  }

  amount(row: number): string {
    return this.data.texts[at(this.columns.amount, row)] ?? "";
  }

  /** Select errors, and count in the same pass what each value of a filter would leave. */
  select(wanted: Wanted, besides: number | null, isMarked: (row: number) => boolean = () => true): Selection {
    const test = this.tests(wanted, besides);
    const passes = (row: number): boolean => test(row) && isMarked(row);
    const facets = Object.keys(this.codes) as Facet[];
    const chosen = facets.map((facet) => this.chosen(facet, wanted));
    const rows: number[] = [];
    const counts = Object.fromEntries(
      facets.map((facet) => [facet, new Int32Array(this.codeCounts[facet])]),
    ) as Selection["counts"];
    for (let row = 0; row < this.size; row++) {
      if (!passes(row)) continue;
      const missed = this.missed(row, facets, chosen);
      if (missed === "none") rows.push(row);
      for (const facet of facets)
        if (missed === "none" || missed === facet) {
          const code = at(this.codes[facet], row);
          if (code >= 0) counts[facet][code]! += 1;
        }
    }
    return { rows, counts };
  }

  /** List the metrics in which gains are known. */
  get metrics(): string[] {
    return Object.keys(this.columns.gains ?? {});
  }

  /** Return the gain of fixing only this error as a fraction; null if unknown. */
  gain(row: number, metric: string): number | null {
    const found = this.columns.gains?.[metric];
    return found ? at(found.values, row) / 10 ** found.digits : null;
  }

  /** Find the largest gain. */
  mostGained(metric: string): number {
    const found = this.columns.gains?.[metric];
    return found ? found.values.reduce((most, each) => Math.max(most, each), 0) / 10 ** found.digits : 0;
  }

  /** Sort errors by gain, then by the frequency of their words. Without a metric, they keep the order of the text. */
  sorted(rows: readonly number[], metric: string, groups: readonly ErrorGroup[] = []): readonly number[] {
    const values = this.columns.gains?.[metric]?.values;
    if (!values) return rows;
    const { words } = this.columns;
    const counts = new Int32Array(this.data.texts.length);
    for (const row of rows) counts[at(words, row)]! += 1;
    const often = (row: number): number => counts[at(words, row)] ?? 0;
    const rank = this.ranks(groups);
    const sorted = (of: number[]): number[] =>
      of.sort((a, b) => at(values, b) - at(values, a) || often(b) - often(a) || a - b);
    // Each row has its rank looked up once, which is faster than in comparisons.
    const ranked: number[][] = Array.from({ length: groups.length + 1 }, () => []);
    for (const row of rows) at(ranked, rank(row)).push(row);
    return ranked.flatMap(sorted);
  }

  /** Rank errors by the first group of their kind and class; errors without a group come last. */
  private ranks(groups: readonly ErrorGroup[]): (row: number) => number {
    if (!groups.length) return () => 0;
    const { kind } = this.columns;
    const classes = this.columns.class;
    const name = (of: number, named: number): number => of * (this.data.classes.length + 1) + named + 1;
    const first = new Map<number, number>();
    groups.forEach((group, place) => {
      const named = group.class === null ? -1 : this.data.classes.indexOf(group.class);
      const code = name(group.kind ?? -1, named);
      if (!first.has(code)) first.set(code, place);
    });
    return (row) => {
      const of = at(kind, row);
      return first.get(name(of, classes?.[row] ?? -1)) ?? first.get(name(of, -1)) ?? groups.length;
    };
  }

  /** Group errors of one kind with the same words. The costliest groups come first, then the largest. */
  grouped(rows: readonly number[], by: Wanted["group"], metric = ""): Group[] {
    const groups = new Map<string, Group>();
    for (const row of rows) {
      const key = this.likeness(row, by);
      const found = groups.get(key);
      if (found) found.rows.push(row);
      else groups.set(key, { rows: [row] });
    }
    const sums = new Map([...groups.values()].map((group) => [group, this.sumOf(group, metric) ?? 0]));
    return [...groups.values()].sort(
      (a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0) || b.rows.length - a.rows.length,
    );
  }

  /** Add up the gains of single errors of a group; null if unknown. */
  sumOf({ rows }: Group, metric: string): number | null {
    const found = this.columns.gains?.[metric];
    return found ? rows.reduce((sum, row) => sum + at(found.values, row), 0) / 10 ** found.digits : null;
  }

  /** The classes that any error has. */
  get presentClasses(): string[] {
    const codes = new Set(this.columns.class);
    return this.data.classes.filter((_, code) => codes.has(code));
  }

  /** List the values of a filter. */
  names(facet: "class" | "distance" | "genre"): string[] {
    if (facet === "genre") return this.genres;
    return facet === "class" ? this.data.classes : this.data.distances;
  }

  private likeness(row: number, by: Wanted["group"]): string {
    if (by === "document") return String(at(this.document, row));
    const texts = by === "pair" ? (["words", "company"] as const) : (["words"] as const);
    const said = texts.map((which) => folded(this.text(row, which)));
    return [at(this.columns.kind, row), ...said].join("\n");
  }

  /** Return the only filter that an error does not pass, "none" if it passes all, or "several". */
  private missed(
    row: number,
    facets: readonly Facet[],
    chosen: readonly (ReadonlySet<number> | null)[],
  ): Facet | "none" | "several" {
    let missed: Facet | "none" = "none";
    for (let place = 0; place < facets.length; place++) {
      const codes = chosen[place];
      const facet = at(facets, place);
      if (!codes || codes.has(at(this.codes[facet], row))) continue;
      if (missed !== "none") return "several";
      missed = facet;
    }
    return missed;
  }

  private chosen(facet: Facet, wanted: Wanted): ReadonlySet<number> | null {
    const found = wanted[facet];
    return found.length ? new Set(found) : null;
  }

  /** Make tests for filters without a list of values: words, and who else is wrong. */
  private tests(wanted: Wanted, besides: number | null): (row: number) => boolean {
    const tests: ((row: number) => boolean)[] = [];
    const { columns } = this;
    if (wanted.query) {
      const found = this.matching((text) => text.includes(folded(wanted.query)));
      tests.push((row) => TEXTS.some((which) => found.has(at(columns[which], row))));
    }
    for (const [which, text] of [["words", wanted.words], ["company", wanted.entity]] as const) {
      if (text === null) continue;
      const found = this.matching((other) => other === folded(text));
      if (!text) found.add(-1);
      tests.push((row) => found.has(at(columns[which], row)));
    }
    if (wanted.who && besides !== null) {
      const isShared = wanted.who === "both";
      tests.push((row) => isWrongIn(at(columns.others, row), besides) === isShared);
    }
    return (row) => tests.every((test) => test(row));
  }

  private matching(test: (text: string) => boolean): Set<number> {
    return new Set(this.data.texts.flatMap((text, place) => (test(folded(text)) ? [place] : [])));
  }
}

/** Return whether the bit of a system is set. There may be more than 32 bits. */
export function isWrongIn(others: number, system: number): boolean {
  return Math.floor(others / 2 ** system) % 2 === 1;
}

function genresOf(documents: readonly DocumentEntry[]): string[] {
  return [...new Set(documents.flatMap((each) => each.genre ?? []))].sort();
}
