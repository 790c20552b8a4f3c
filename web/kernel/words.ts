// What the pages about MOR and about zeros count: the words of mentions, and verdicts on zeros.

import { align } from "./alignment";
import type { Ratios } from "./metrics";
import { type Entities, sum } from "./table";

export type Span = readonly [first: number, last: number];

/** Reads spans such as "1-3 5"; anything else is null. */
export function readSpans(text: string): Span[] | null {
  const spans: Span[] = [];
  for (const part of text.split(/\s+/).filter((word) => word !== "")) {
    const match = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part);
    if (!match) return null;
    const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (first < 1 || last < first) return null;
    spans.push([first, last]);
  }
  return spans;
}

export interface Overlap {
  key: number;
  response: number;
  weight: number;
}

/** The pairs of mentions with the most shared words in total. */
export function overlaps(key: readonly Span[], response: readonly Span[]): Overlap[] {
  const edges = key.flatMap((one, k) =>
    response.map((other, r) => ({ key: k, response: r, weight: sharedWords(one, other) })),
  );
  return align(edges.filter((edge) => edge.weight > 0));
}

function sharedWords(one: Span, other: Span): number {
  return Math.max(0, Math.min(one[1], other[1]) - Math.max(one[0], other[0]) + 1);
}

export function mor(key: readonly Span[], response: readonly Span[]): Ratios {
  const shared = sum(overlaps(key, response).map((pair) => pair.weight));
  const length = (spans: readonly Span[]): number => sum(spans.map(([first, last]) => last - first + 1));
  return [shared, length(key), shared, length(response)];
}

export type Verdict = "TP" | "FN" | "WL" | "FP";

export interface Verdicts {
  key: Map<string, Verdict>;
  response: Map<string, Verdict>;
}

/** On the drawing, a zero is a mention whose name starts with 0. */
export function isZero(mention: string): boolean {
  return mention.startsWith("0");
}

/** Judges every zero that is not the first mention of its entity. Mentions match if their names are equal. */
export function judgeZeros(key: Entities, response: Entities): Verdicts {
  const verdicts: Verdicts = { key: new Map(), response: new Map() };
  for (const entity of key) {
    entity.forEach((mention, place) => {
      if (place === 0 || !isZero(mention)) return;
      const counterpart = response.find((other) => other.includes(mention));
      const isMissed = !counterpart || counterpart[0] === mention;
      const isLinked = entity.slice(0, place).some((earlier) => counterpart?.includes(earlier));
      verdicts.key.set(mention, isMissed ? "FN" : isLinked ? "TP" : "WL");
    });
  }
  for (const entity of response) {
    for (const mention of entity.slice(1).filter(isZero)) {
      const verdict = verdicts.key.get(mention);
      verdicts.response.set(mention, verdict === undefined || verdict === "FN" ? "FP" : verdict);
    }
  }
  return verdicts;
}

export function zeros(key: Entities, response: Entities): Ratios {
  const verdicts = judgeZeros(key, response);
  const number = (side: Map<string, Verdict>, verdict: Verdict): number =>
    [...side.values()].filter((other) => other === verdict).length;
  const right = number(verdicts.key, "TP");
  return [right, verdicts.key.size, right, verdicts.response.size];
}
