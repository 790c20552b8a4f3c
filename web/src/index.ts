/** The page of several datasets. A click on the head of a column sorts the table. */

import { button, byId } from "./dom";
import { offerExports } from "./export";
import { linkSections } from "./sections";
import { restoreTheme, toggleTheme } from "./theme";
import { compared, figureOf } from "./sorting";

restoreTheme();
linkSections();
byId("theme").addEventListener("click", toggleTheme);

for (const table of document.querySelectorAll<HTMLTableElement>(".sortable table"))
  [...(table.tHead?.rows[0]?.cells ?? [])].forEach((head, column) => {
    const name = head.textContent ?? "";
    if (name) head.replaceChildren(button(name, () => sort(table, head, column)));
  });

offerExports(byId("overview"));

function sort(table: HTMLTableElement, head: HTMLElement, column: number): void {
  const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  const body = table.tBodies[0];
  const rows = [...(body?.rows ?? [])].filter((row) => !row.classList.contains("total"));
  const value = (row: HTMLTableRowElement): number | string | null =>
    figureOf(row.cells[column]?.firstChild?.textContent ?? "", column === 0);
  rows.sort((a, b) => compared(value(a), value(b), sign));
  // Averages stay below.
  body?.prepend(...rows);
}
