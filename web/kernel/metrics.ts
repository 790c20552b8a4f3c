// The metrics, as numerators and denominators that add up over documents.
//
// Conventions are scoref's defaults: singletons count, BLANC leaves a kind of links out if the key has
// none, and a singleton has one link in LEA, to itself.

import { align, type Edge } from "./alignment";
import { type Cell, type Entities, type Table, pairs, sum, swap, tabulate } from "./table";

/** Numerator and denominator of recall, then of precision. */
export type Ratios = [number, number, number, number];

/** Links in both sides, in the key, in the response: coreference links, then non-coreference links. */
export type Links = [number, number, number, number, number, number];

export interface Score {
  recall: number;
  precision: number;
  f1: number;
  isDefined: boolean;
}

export interface Counts {
  mentions: Ratios;
  muc: Ratios;
  bcub: Ratios;
  ceafm: Ratios;
  ceafe: Ratios;
  blanc: Links;
  lea: Ratios;
  pairwise: Ratios;
}

export type Metric = keyof Counts;
export type Scores = Record<Metric, Score> & { conll: { f1: number; isDefined: boolean } };

export const LABELS: Record<Metric | "conll", string> = {
  mentions: "Mentions",
  muc: "MUC",
  bcub: "B³",
  ceafm: "CEAFm",
  ceafe: "CEAFe",
  blanc: "BLANC",
  lea: "LEA",
  conll: "CoNLL",
  pairwise: "Pairwise",
};

export function count(key: Entities, response: Entities): Counts {
  const table = tabulate(key, response);
  const other = swap(table);
  const both = <Value>(one: (table: Table) => [Value, Value]): [Value, Value, Value, Value] => [
    ...one(table),
    ...one(other),
  ];
  return {
    mentions: both((side) => [sum(side.cells.map((cell) => cell.shared)), sum(side.key)]),
    muc: both(mucLinks),
    bcub: both((side) => [sum(side.cells.map((cell) => bcubCredit(side, cell))), sum(side.key)]),
    ceafm: ceaf(table, (cell) => cell.shared, sum(table.key), sum(table.response)),
    ceafe: ceaf(table, (cell) => phi4(table, cell), table.key.length, table.response.length),
    blanc: blancLinks(table),
    lea: both((side) => [sum(side.key.map((_, entity) => leaShare(side, entity)[0])), sum(side.key)]),
    pairwise: both((side) => [sum(side.cells.map((cell) => pairs(cell.shared))), sum(side.key.map(pairs))]),
  };
}

/** Links that the other side keeps, and links that connect the entities. */
function mucLinks(table: Table): [number, number] {
  return [sum(table.cells.map((cell) => cell.shared - 1)), sum(table.key.map((size) => size - 1))];
}

function bcubCredit(table: Table, cell: Cell): number {
  return cell.shared ** 2 / table.key[cell.key]!;
}

/** The similarity of two entities in CEAFe. */
export function phi4(table: Table, cell: Cell): number {
  return (2 * cell.shared) / (table.key[cell.key]! + table.response[cell.response]!);
}

function ceaf(table: Table, similarity: (cell: Cell) => number, ofKey: number, ofResponse: number): Ratios {
  const total = sum(pairing(table, similarity).map((edge) => edge.weight));
  return [total, ofKey, total, ofResponse];
}

/** The pairs of entities that CEAF aligns, with their similarity. */
export function pairing(table: Table, similarity: (cell: Cell) => number): Edge[] {
  return align(table.cells.map((cell) => ({ key: cell.key, response: cell.response, weight: similarity(cell) })));
}

function blancLinks(table: Table): Links {
  const other = swap(table);
  const inside = (sizes: readonly number[]): number => sum(sizes.map(pairs));
  const common = (side: Table): number => {
    const shared = new Float64Array(side.key.length);
    for (const cell of side.cells) shared[cell.key]! += cell.shared;
    return inside([...shared]);
  };
  const [both, key, response] = [
    inside(table.cells.map((cell) => cell.shared)),
    inside(table.key),
    inside(table.response),
  ];
  const all = pairs(sum(table.cells.map((cell) => cell.shared)));
  return [
    both,
    key,
    response,
    all - common(table) - common(other) + both,
    pairs(sum(table.key)) - key,
    pairs(sum(table.response)) - response,
  ];
}

/** The weighted share of an entity's links that the other side has, its right links, and all of its links. */
export function leaShare(table: Table, entity: number): [number, number, number] {
  const size = table.key[entity]!;
  const cells = table.cells.filter((cell) => cell.key === entity);
  if (size === 1) {
    const isAlone = cells.some((cell) => table.response[cell.response] === 1);
    return [isAlone ? 1 : 0, isAlone ? 1 : 0, 1];
  }
  const right = sum(cells.map((cell) => pairs(cell.shared)));
  return [(size * right) / pairs(size), right, pairs(size)];
}

export function add(one: Counts, other: Counts): Counts {
  const sums = Object.entries(one).map(([metric, values]) => [
    metric,
    (values as number[]).map((value, place) => value + other[metric as Metric][place]!),
  ]);
  return Object.fromEntries(sums) as Counts;
}

export const NOTHING: Counts = count([], []);

export function score(counts: Counts): Scores {
  const { blanc, ...ratios } = counts;
  const scores = Object.fromEntries(
    Object.entries(ratios).map(([metric, values]) => [metric, scoreOf(values)]),
  ) as Record<Exclude<Metric, "blanc">, Score>;
  const parts = [scores.muc, scores.bcub, scores.ceafe];
  const conll = { f1: sum(parts.map((part) => part.f1)) / 3, isDefined: parts.every((part) => part.isDefined) };
  return { ...scores, blanc: blancScore(blanc), conll };
}

export function scoreOf([found, inKey, right, inResponse]: Ratios): Score {
  const [recall, precision] = [ratio(found, inKey), ratio(right, inResponse)];
  return { recall, precision, f1: harmonic(recall, precision), isDefined: inKey + inResponse > 0 };
}

/** The mean of both kinds of links, or one of them if the key has no link of the other kind. */
export function blancScore(links: Links): Score {
  const kinds = [links.slice(0, 3), links.slice(3)].map(([both, key, response]) =>
    scoreOf([both!, key!, both!, response!]),
  );
  const inKey = [links[1], links[4]];
  const present = kinds.filter((_, kind) => inKey[kind]! > 0);
  // Without any link in the key, the figures are those of non-coreference links, like in the Perl script.
  const used = present.length > 0 ? present : [kinds[1]!];
  const mean = (figure: "recall" | "precision" | "f1"): number =>
    sum(used.map((kind) => kind[figure])) / used.length;
  return {
    recall: mean("recall"),
    precision: mean("precision"),
    f1: mean("f1"),
    isDefined: links[1] + links[2] + links[4] + links[5] > 0,
  };
}

export function ratio(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : numerator / denominator;
}

export function harmonic(recall: number, precision: number): number {
  return ratio(2 * recall * precision, recall + precision);
}
