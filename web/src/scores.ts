/** The tables of scores, which are part of the page: a click on a figure sorts errors by their gain in its metric. */

import type { Report } from "./types";
import type { Wanted } from "./wanted";

/** Return the name of a metric without its explanation. */
function nameIn(cell: HTMLTableCellElement | undefined): string {
  const [term] = cell?.getElementsByClassName("term") ?? [];
  return (term?.firstChild ?? cell)?.textContent ?? "";
}

/** Make figures clickable if the gains in their metric are known. */
export function listenToScores(
  report: Report,
  metrics: readonly string[],
  want: (change: Partial<Wanted>, system?: number) => void,
): void {
  const scores = report.systems[0]?.scores ?? [];
  const named = new Map(scores.map((score) => [score.label, score.metric]));
  [...document.querySelectorAll<HTMLTableElement>(".scores table")].forEach((table, place) => {
    // The first table has all systems, if there are several, and then each has its own.
    const isOfAll = report.systems.length > 1 && place === 0;
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map(nameIn);
    [...(table.tBodies[0]?.rows ?? [])].forEach((row, number) => {
      for (const cell of row.querySelectorAll("td")) {
        const label = isOfAll ? heads[cell.cellIndex] : nameIn(row.cells[0]);
        const metric = named.get(label ?? "");
        if (!metric || !metrics.includes(metric)) continue;
        const system = isOfAll ? number : Math.max(place - 1, 0);
        cell.classList.add("pickable");
        cell.addEventListener("click", () => want({ sort: metric, group: "" }, system));
      }
    });
  });
}
