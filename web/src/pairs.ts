/** Pairs of systems: errors by kind that only one of them makes. */

import { button, h } from "./dom";
import { signOf } from "./errors";
import { type Findings, isWrongIn } from "./findings";
import { at } from "./lists";
import { count, rounded, signed } from "./numbers";
import { say } from "./terms";
import type { Difference, Report } from "./types";
import type { Wanted } from "./wanted";

/** The filter that a click on a figure sets: errors of one system that another does not make. */
export type ShowPair = (change: Partial<Wanted>, system: number, beside: number) => void;

/** Make a table with a row for each pair, and the test of their difference. */
export function pairSection(report: Report, all: readonly Findings[], show: ShowPair): HTMLElement[] {
  const pairs = all.flatMap((_, one) => all.slice(one + 1).map((__, place) => [one, one + 1 + place] as const));
  if (!pairs.length) return [];
  const alone = all.map((findings) => aloneBy(findings, all.length, report.kinds.length));
  const heads = report.kinds.map((kind) =>
    h("th", { scope: "col", title: kind.meaning }, kind.label, h("b", { class: "sign", "aria-hidden": "true" }, signOf(kind))),
  );
  const rows = pairs.map(([one, other]) => {
    const cells = report.kinds.map((kind, number) => {
      const figure = (mine: number, its: number): HTMLElement =>
        aloneButton(at(at(at(alone, mine), its), number), `${kind.label}: only ${name(report, mine)} ${say().is}`, () =>
          show({ kind: [number], who: "only" }, mine, its),
        );
      return h("td", {}, figure(one, other), " : ", figure(other, one));
    });
    return h(
      "tr",
      {},
      h("th", { scope: "row", dir: "auto" }, `${name(report, one)} : ${name(report, other)}`),
      ...testOf(report, one, other),
      ...cells,
    );
  });
  const caption = `For each kind: ${say().pairs}, and the reverse.`;
  const first = [h("td"), h("th", { scope: "col" }, "ΔF₁"), h("th", { scope: "col" }, "p (Holm)")];
  return [
    h("h2", {}, say().only),
    h("p", { class: "caption" }, caption, h("span", { class: "on-screen" }, " Click a number to list them.")),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "pairs" },
        h("thead", {}, h("tr", {}, ...(rowsOf(report).length ? first : first.slice(0, 1)), ...heads)),
        h("tbody", {}, ...rows),
      ),
    ),
  ];
}

/** Count errors by the system that does not make them, and by kind. */
function aloneBy(findings: Findings, systems: number, kinds: number): number[][] {
  const found = Array.from({ length: systems }, () => new Array<number>(kinds).fill(0));
  const { kind, others } = findings.columns;
  found.forEach((counts, system) => {
    kind.forEach((each, row) => {
      if (!isWrongIn(at(others, row), system)) counts[each] = (counts[each] ?? 0) + 1;
    });
  });
  return found;
}

function aloneButton(size: number, label: string, show: () => void): HTMLElement {
  if (!size) return h("span", { class: "nothing" }, "0");
  return button(count(size), show, { "aria-label": `${label}, ${count(size)}`, title: label });
}

function testOf(report: Report, one: number, other: number): HTMLElement[] {
  const rows = rowsOf(report);
  if (!rows.length) return [];
  const found = rows.find((row) => row.first === one && row.second === other);
  const swapped = rows.find((row) => row.first === other && row.second === one);
  const row = found ?? swapped;
  if (!row) return [h("td"), h("td")];
  const difference = found ? row.difference : -row.difference;
  return [
    h("td", { class: row.is_significant && "real" }, signed(difference)),
    h("td", {}, rounded(row.p_holm, 4)),
  ];
}

function rowsOf(report: Report): Difference[] {
  return (report.comparison?.rows ?? []).filter((row) => row.metric === report.metric.name);
}

function name(report: Report, system: number): string {
  return report.systems[system]?.name ?? "";
}
