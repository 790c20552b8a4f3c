/** Exports: errors as CSV, tables as Markdown and LaTeX, charts as images. */

import { button, h, s } from "./dom";
import { showDialog } from "./keyboard";

type Cells = string[][];

/** A cell of a table: a figure that may be the best one, letters above it, and what is below it. */
export interface Cell {
  text: string;
  isBest: boolean;
  mark: string;
  below: string;
}

/** Make a cell of a text only. */
export function plain(text: string): Cell {
  return { text, isBest: false, mark: "", below: "" };
}

/** Save a text or an image as a file. */
export function save(name: string, content: string | Blob, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Offer to copy a text, and say when it was copied; if the browser does not allow it, show the text. */
export function copyButton(title: string, text: () => string): HTMLButtonElement {
  const made = button(title, () => void copy(text(), title, made), { class: "link", "aria-live": "polite" });
  return made;
}

const COPIED = 2000; // milliseconds

export async function copy(text: string, title: string, from?: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    if (!from) return;
    from.textContent = "Copied";
    setTimeout(() => (from.textContent = title), COPIED);
  } catch {
    const area = h("textarea", { rows: 12, cols: 60, readonly: true, "aria-label": title });
    area.value = text;
    showDialog(title, area);
    area.select();
  }
}

/** Write rows as CSV. A cell that a spreadsheet would take for a formula is kept as text. */
export function csv(rows: Cells): string {
  const cell = (text: string): string => {
    const safe = /^[=@\t\r]|^[+-](?![\d.])/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Write the cells of a table as Markdown. */
export function markdown([head = [], ...rows]: Cell[][]): string {
  const escape = (text: string): string => text.replace(/([\\|*_`<>[\]])/g, "\\$1");
  const shown = ({ text, isBest, mark, below }: Cell): string =>
    (isBest ? `**${escape(text)}**` : escape(text)) + (mark && `<sup>${escape(mark)}</sup>`) + escape(below);
  const line = (cells: Cell[]): string => `| ${cells.map(shown).join(" | ")} |\n`;
  const rule = `|${head.map((_, place) => (place ? "--:" : "---")).join("|")}|\n`;
  return line(head) + rule + rows.map(line).join("");
}

const SPECIAL: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "₁": "$_1$",
  "³": "$^3$",
  "−": "$-$",
  "Δ": "$\\Delta$",
  "\u202f": "\\,",
};

/** Write the cells of a table as LaTeX with the rules of booktabs. */
export function latex([head = [], ...rows]: Cell[][]): string {
  const escape = (text: string): string =>
    text.replace(/[\\~^₁³−Δ\u202f]|[&%$#_{}]/g, (sign) => SPECIAL[sign] ?? `\\${sign}`);
  const shown = ({ text, isBest, mark, below }: Cell): string =>
    (isBest ? `\\textbf{${escape(text)}}` : escape(text)) + (mark && `\\textsuperscript{${escape(mark)}}`) + escape(below);
  const line = (cells: Cell[]): string => `${cells.map(shown).join(" & ")} \\\\\n`;
  const columns = head.map((_, place) => (place ? "r" : "l")).join("");
  return `\\begin{tabular}{${columns}}\n\\toprule\n${line(head)}\\midrule\n${rows.map(line).join("")}\\bottomrule\n\\end{tabular}\n`;
}

/** Read the cells of a table. An interval below a figure is put in brackets; signs and explanations are left out. */
function cellsOf(table: HTMLTableElement): Cell[][] {
  return [...table.rows].map((row) => [...row.cells].map(cellOf));
}

function cellOf(cell: HTMLTableCellElement): Cell {
  const copied = cell.cloneNode(true) as HTMLElement;
  const take = (parts: string): string[] =>
    [...copied.querySelectorAll(parts)].map((part) => {
      part.remove();
      return tidy(part.textContent ?? "");
    });
  take("[aria-hidden=true], .unseen");
  const mark = take("sup").join("");
  const below = take("small").map((text) => ` [${text}]`).join("");
  const labelled = copied.querySelector("[aria-label][role=img]");
  const text = labelled ? (labelled.getAttribute("aria-label") ?? "") : (copied.textContent ?? "");
  return { text: tidy(text), isBest: cell.classList.contains("best"), mark, below };
}

function tidy(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}

const OWN = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "paint-order",
  "font-family",
  "font-size",
  "font-weight",
];

/** Write a drawing as an SVG file with the colours on the screen. */
function svgOf(chart: SVGSVGElement): string {
  const copied = chart.cloneNode(true) as SVGSVGElement;
  const parts = [...chart.querySelectorAll("*")];
  [...copied.querySelectorAll("*")].forEach((part, place) => {
    const style = getComputedStyle(parts[place] ?? chart);
    // The policy of the page allows no style attributes.
    for (const name of OWN) part.setAttribute(name, style.getPropertyValue(name));
  });
  copied.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const paper = getComputedStyle(document.body).getPropertyValue("--paper").trim();
  copied.prepend(s("rect", { width: "100%", height: "100%", fill: paper }));
  return new XMLSerializer().serializeToString(copied);
}

/** Add buttons that export each table and chart of a part of the page. */
export function offerExports(part: HTMLElement): void {
  for (const table of part.querySelectorAll<HTMLTableElement>("table")) {
    const scroll = table.closest(".scroll") ?? table;
    // Several tables may scroll together; a single one may be drawn anew.
    const isAlone = scroll === table || scroll.querySelectorAll("table").length === 1;
    const place = isAlone ? scroll : table;
    if (place.nextElementSibling?.classList.contains("take")) continue;
    const now = (): Cell[][] => cellsOf((isAlone && scroll.querySelector("table")) || table);
    place.after(
      h(
        "p",
        { class: "take" },
        "Copy this table: ",
        copyButton("Markdown", () => markdown(now())),
        " · ",
        copyButton("LaTeX", () => latex(now())),
      ),
    );
  }
  for (const figure of part.querySelectorAll("figure")) {
    if (figure.querySelector(".take")) continue;
    const name = figure.querySelector("h3")?.textContent ?? figure.querySelector("svg")?.getAttribute("aria-label") ?? "chart";
    const saveImage = (): void => {
      const chart = figure.querySelector<SVGSVGElement>(".holder > svg");
      if (chart) save(`${name}.svg`, svgOf(chart), "image/svg+xml");
    };
    figure.append(h("p", { class: "take" }, button("Save image", saveImage, { class: "link", "aria-label": `Save image: ${name}` })));
  }
  for (const canvas of part.querySelectorAll<HTMLCanvasElement>("canvas.grid")) {
    if (canvas.nextElementSibling) continue;
    const saveImage = (): void => canvas.toBlob((blob) => blob && save("Entities.png", blob));
    canvas.after(h("p", { class: "take" }, button("Save image", saveImage, { class: "link", "aria-label": "Save image: entities" })));
  }
}
