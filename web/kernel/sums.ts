// Recall, precision and F₁ of a metric, spelled out as sums and fractions.

import { percent, rounded } from "../src/numbers";
import type { Drawn } from "./drawing";
import { type Ratios, type Score, blancScore, count, leaShare, pairing, phi4, score, scoreOf } from "./metrics";
import { type Cell, type Entities, type Table, swap, tabulate } from "./table";
import type { Sides } from "./variants";
import { zeros } from "./words";

const MOST_TERMS = 12;

/** A sum of at most twelve terms; a longer one is cut. */
function sumOf(terms: readonly string[]): string {
  if (terms.length === 0) return "0";
  return terms.length > MOST_TERMS ? `${terms.slice(0, MOST_TERMS).join(" + ")} + …` : terms.join(" + ");
}

/** The lines below a drawing. Precision may be that of other entities than recall. */
export function spellOut(
  metric: Drawn,
  key: Entities,
  response: Entities,
  ofPrecision: Sides = [key, response],
): string[] {
  const counts = count(key, response);
  if (metric === "conll") {
    const { muc, bcub, ceafe, conll } = score(counts);
    const parts = [muc, bcub, ceafe].map((part) => percent(part.f1)).join(" + ");
    return [`CoNLL F₁ = (${parts}) / 3 = ${percent(conll.f1)} %`];
  }
  if (metric === "blanc") return spellBlanc(counts.blanc);
  const [found, inKey] = metric === "zeros" ? zeros(key, response) : counts[metric];
  const [, , right, inResponse] = metric === "zeros" ? zeros(...ofPrecision) : count(...ofPrecision)[metric];
  const recall = termsOf(metric, tabulate(key, response), found);
  const precision = termsOf(metric, swap(tabulate(...ofPrecision)), right);
  return spellRatios([found, inKey, right, inResponse], recall, precision);
}

export function spellRatios(ratios: Ratios, recall = "", precision = ""): string[] {
  const figures = scoreOf(ratios);
  return [
    spellRatio("Recall", recall, ratios[0], ratios[1]),
    spellRatio("Precision", precision, ratios[2], ratios[3]),
    spellF1(figures),
  ];
}

function spellF1({ recall, precision, f1 }: Score): string {
  if (recall + precision === 0) return "F₁ = 0.00 %, because recall and precision are 0";
  const [one, other] = [percent(recall), percent(precision)];
  return `F₁ = 2 · ${one} · ${other} / (${one} + ${other}) = ${percent(f1)} %`;
}

function spellRatio(name: string, terms: string, numerator: number, denominator: number): string {
  const sum = terms === "" || terms === `${numerator}` ? "" : `(${terms}) / ${denominator} = `;
  if (denominator === 0) return `${name} = 0/0, undefined; it counts as 0`;
  return `${name} = ${sum}${decimal(numerator)} / ${denominator} = ${percent(numerator / denominator)} %`;
}

function decimal(value: number): string {
  return Number.isInteger(value) ? `${value}` : rounded(value, 4);
}

/** The numerator of recall as a sum over entities or pairs of entities. */
function termsOf(metric: Drawn, table: Table, total: number): string {
  const cells = (term: (cell: Cell) => string): string => sumOf(table.cells.map(term));
  switch (metric) {
    case "bcub":
      return cells((cell) => `${cell.shared}·${cell.shared}/${table.key[cell.key]}`);
    case "muc": {
      const kept = table.key.map((_, entity) =>
        table.cells.filter((cell) => cell.key === entity).reduce((sum, cell) => sum + cell.shared - 1, 0),
      );
      return sumOf(kept.filter((_, entity) => table.key[entity]! > 1).map(String));
    }
    case "lea":
      return sumOf(
        table.key.map((size, entity) => {
          const [, right, links] = leaShare(table, entity);
          return `${size}·${right}/${links}`;
        }),
      );
    case "ceafe":
      return sumOf(
        pairing(table, (cell) => phi4(table, cell)).map((edge) => {
          const cell = table.cells.find((other) => other.key === edge.key && other.response === edge.response)!;
          return `${2 * cell.shared}/${table.key[edge.key]! + table.response[edge.response]!}`;
        }),
      );
    case "ceafm":
      return sumOf(pairing(table, (cell) => cell.shared).map((edge) => `${edge.weight}`));
    default:
      return `${total}`;
  }
}

function spellBlanc(links: readonly number[]): string[] {
  const [c, inKey, inResponse, n, apartInKey, apartInResponse] = links as [number, number, number, number, number, number];
  const figures: Score = blancScore([c, inKey, inResponse, n, apartInKey, apartInResponse]);
  const kind = (name: string, both: number, key: number, response: number): string =>
    `${name}: R = ${both}/${key}, P = ${both}/${response}, F₁ = ${percent(scoreOf([both, key, both, response]).f1)} %`;
  const isMean = inKey > 0 && apartInKey > 0;
  return [
    kind("Links (C)", c, inKey, inResponse),
    kind("Non-links (N)", n, apartInKey, apartInResponse),
    `BLANC: R = ${percent(figures.recall)} %, P = ${percent(figures.precision)} %, F = ${percent(figures.f1)} %, ` +
      (isMean ? "the mean of both kinds" : "one kind only, because the key has no pair of the other kind"),
  ];
}
