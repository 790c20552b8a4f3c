/** The list of documents. Each column can sort it, and a name opens its document. */

import { button, h } from "./dom";
import { shortNames } from "./names";
import { count, counted, percent, signed } from "./numbers";
import type { OverviewActions } from "./overview";
import { compared } from "./sorting";
import { say } from "./terms";
import type { Report } from "./types";

const SHOWN = 100;

interface Column {
  name: string;
  /** The system of the column, if it has one. */
  system?: number;
  isErrors?: boolean;
  /** Whether phones hide the column. */
  isDetail: boolean;
  value: (place: number) => number | string | null;
  write: (place: number) => string;
}

/** Make the heading, the search field and the table. */
export function documentList(
  report: Report,
  system: number,
  beside: number | null,
  actions: OverviewActions,
): HTMLElement[] {
  const list = new DocumentList(report, columnsOf(report, system, beside), system, actions);
  const field = h("input", {
    type: "search",
    placeholder: "Search documents",
    "aria-label": "Search documents",
  });
  field.addEventListener("input", () => list.filter(field.value));
  const heading = h(
    "div",
    { class: "heading" },
    h("h2", {}, "Documents"),
    report.documents.length > 8 && field,
  );
  return [heading, h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Documents" }, list.table), list.more];
}

/** Subtract the score of one system from that of another. */
function differenceOf({ systems }: Report, system: number, beside: number): Column {
  const value = (place: number): number | null => {
    const [one, other] = [system, beside].map((each) => systems[each]?.documents[place]?.f1 ?? null);
    return typeof one === "number" && typeof other === "number" ? one - other : null;
  };
  return {
    name: `${systems[system]?.name ?? ""} − ${systems[beside]?.name ?? ""}`,
    isDetail: false,
    value,
    write: (place) => {
      const found = value(place);
      return found === null ? "–" : signed(found);
    },
  };
}

function columnsOf(report: Report, system: number, beside: number | null): Column[] {
  const { documents, systems, metric } = report;
  const counts = (["tokens", "mentions", "entities"] as const).map(
    (field): Column => ({
      name: field === "tokens" ? "words" : field,
      isDetail: true,
      value: (place) => documents[place]?.[field] ?? null,
      write: (place) => count(documents[place]?.[field]),
    }),
  );
  const scores = systems.map(
    (each, number): Column => ({
      system: number,
      name: systems.length > 1 ? each.name : `${metric.label} F₁`,
      isDetail: false,
      value: (place) => each.documents[place]?.f1 ?? null,
      write: (place) => percent(each.documents[place]?.f1),
    }),
  );
  const isBefore = systems[system]?.documents.some(({ before }) => before);
  const start: Column = {
    system,
    name: "gains start from",
    isDetail: false,
    value: (place) => systems[system]?.documents[place]?.before?.[2] ?? null,
    write: (place) => percent(systems[system]?.documents[place]?.before?.[2]),
  };
  const parts = (["recall", "precision"] as const).map(
    (figure): Column => ({
      system,
      name: systems.length > 1 ? `${figure} of ${systems[system]?.name ?? ""}` : figure,
      isDetail: true,
      value: (place) => systems[system]?.documents[place]?.[figure] ?? null,
      write: (place) => percent(systems[system]?.documents[place]?.[figure]),
    }),
  );
  const errors: Column = {
    system,
    isErrors: true,
    name: systems.length > 1 ? `${say().error}s of ${systems[system]?.name ?? ""}` : `${say().error}s`,
    isDetail: false,
    value: (place) => systems[system]?.documents[place]?.errors ?? null,
    write: (place) => count(systems[system]?.documents[place]?.errors),
  };
  const used = counts.filter((column) => documents.some((_, place) => column.value(place) !== null));
  // As in the table of differences, the second system is subtracted from the first.
  const difference = beside === null ? [] : [differenceOf(report, Math.min(system, beside), Math.max(system, beside))];
  const ofOne = [...(report.annotator ? [] : parts), ...(isBefore ? [start] : []), errors];
  return [...scores, ...difference, ...(systems.length ? ofOne : []), ...used];
}

class DocumentList {
  readonly table: HTMLTableElement;
  readonly more = h("p", { class: "more" });
  private readonly body = h("tbody");
  private wanted = "";
  /** The documents on which the chosen system is weakest come first. */
  private sorted: { column: number; sign: number };
  private limit = SHOWN;
  private readonly names: string[];

  constructor(
    private readonly report: Report,
    private readonly columns: Column[],
    system: number,
    private readonly actions: OverviewActions,
  ) {
    this.names = shortNames(report.documents.map((each) => each.name));
    this.sorted = { column: columns.findIndex((column) => column.system === system && !column.isErrors), sign: 1 };
    const heads = ["document", ...columns.map((column) => column.name)].map((name, place) =>
      this.head(name, place - 1),
    );
    columns.forEach((column, place) => heads[place + 1]?.classList.toggle("detail", column.isDetail));
    if (this.sorted.column >= 0) heads[this.sorted.column + 1]?.setAttribute("aria-sort", "ascending");
    this.table = h("table", { class: "documents" }, h("thead", {}, h("tr", {}, ...heads)), this.body);
    this.fill();
  }

  filter(wanted: string): void {
    this.wanted = wanted.trim().toLowerCase();
    this.fill();
  }

  private head(name: string, column: number): HTMLElement {
    const cell = h("th", { scope: "col" });
    cell.append(
      button(name, () => {
        const again = this.sorted.column === column;
        this.sorted = { column, sign: again ? -this.sorted.sign : 1 };
        for (const other of this.table.querySelectorAll("th")) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", this.sorted.sign > 0 ? "ascending" : "descending");
        this.fill();
      }),
    );
    return cell;
  }

  private fill(): void {
    const places = this.places();
    this.body.replaceChildren(...places.slice(0, this.limit).map((place) => this.row(place)));
    const left = places.length - this.limit;
    const showAll = (): void => {
      this.limit = Infinity;
      this.fill();
    };
    const rest = left > 0 ? button(`Show ${counted(left, "more document")}`, showAll) : "";
    this.more.replaceChildren(places.length ? rest : "No documents match. Change or clear the search.");
  }

  private places(): number[] {
    const { documents } = this.report;
    const places = documents.flatMap((document, place) =>
      document.name.toLowerCase().includes(this.wanted) ? [place] : [],
    );
    const column = this.columns[this.sorted.column];
    const { sign } = this.sorted;
    if (!column) return sign > 0 ? places : places.reverse();
    return places.sort((one, other) => compared(column.value(one), column.value(other), sign) || one - other);
  }

  private row(place: number): HTMLElement {
    const document = this.report.documents[place];
    const title = document?.name || "(no name)";
    const name = this.names[place] || title;
    const first = document?.has_text
      ? button(name, () => this.actions.open(place), { class: "opens-document", dir: "auto", title })
      : h("span", { dir: "auto", title }, name);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, first),
      ...this.columns.map((column) => this.cell(place, column)),
    );
  }

  /** Make a figure that links to the errors of its document and system. */
  private cell(place: number, column: Column): HTMLElement {
    const { want } = this.actions;
    const text = column.write(place);
    const isFigure = want && column.value(place) !== null;
    const show = (): void => want?.({ document: [place] }, column.system);
    // One of them is for the keyboard.
    const inner = isFigure && column.isErrors ? h("button", { type: "button", class: "figure-button" }, text) : text;
    const made = h("td", { class: column.isDetail && "detail" }, inner);
    if (!isFigure) return made;
    made.classList.add("pickable");
    made.addEventListener("click", show);
    return made;
  }
}
