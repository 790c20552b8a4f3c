/** Marks of errors ("seen", "key is wrong", a remark), kept in the browser and in files. */

import { button, h } from "./dom";
import { save } from "./export";
import type { Findings } from "./findings";
import { showDialog } from "./keyboard";
import { at } from "./lists";
import { counted } from "./numbers";
import type { Report } from "./types";
import { say } from "./terms";

const SCHEMA = "scoref/marks/1";
export const STATUSES = ["", "seen", "key is wrong"] as const;
export type Status = (typeof STATUSES)[number];

export interface Mark {
  status: Status;
  remark: string;
}

/** Filters by mark, and their names in the address. */
export const MARKED: Record<string, (mark: Mark | undefined) => boolean> = {
  none: (mark) => !mark,
  any: (mark) => Boolean(mark),
  seen: (mark) => mark?.status === "seen",
  key: (mark) => mark?.status === "key is wrong",
  remark: (mark) => Boolean(mark?.remark),
};

/** An error as a file of marks describes it, the same after another run. */
type Described = string;

export class Marks {
  private marks = new Map<Described, Mark>();
  private readonly described = new WeakMap<Findings, Described[]>();
  private readonly id: string;

  constructor(
    private readonly report: Report,
    private readonly changed: () => void,
  ) {
    this.id = identity(report);
    try {
      const kept = localStorage.getItem(this.place);
      if (kept) this.marks = read(JSON.parse(kept), this.id);
    } catch {
      // Some browsers keep nothing for files.
    }
  }

  get size(): number {
    return this.marks.size;
  }

  of(findings: Findings, row: number): Mark | undefined {
    return this.size ? this.marks.get(at(this.descriptions(findings), row)) : undefined;
  }

  /** Ask for the mark of an error. */
  edit(findings: Findings, row: number, said: string): void {
    const name = at(this.descriptions(findings), row);
    const mark = this.marks.get(name);
    const status = h("select", { "aria-label": "Mark" }, ...["no mark", "seen", say().mistaken].map((text) => h("option", {}, text)));
    status.selectedIndex = STATUSES.indexOf(mark?.status ?? "");
    const remark = h("textarea", { rows: 3, cols: 48, "aria-label": "Remark", placeholder: "Remark" });
    remark.value = mark?.remark ?? "";
    const form = h("form", { class: "mark-form" }, h("p", { dir: "auto" }, said), status, remark);
    const again = focusAgain();
    const keep = (): void => {
      const chosen = { status: STATUSES[status.selectedIndex] ?? "", remark: remark.value.trim() };
      if (chosen.status || chosen.remark) this.marks.set(name, chosen);
      else this.marks.delete(name);
      this.keep();
    };
    form.append(h("p", {}, button("Save mark", () => (keep(), form.closest("dialog")?.close(), again()))));
    form.addEventListener("submit", (event) => event.preventDefault());
    const dialog = showDialog(`Mark this ${say().error}`, form);
    form.lastElementChild?.append(...dialog.querySelectorAll(":scope > button"));
    status.focus();
  }

  /** Save all marks to a file. */
  save(): void {
    const file = { schema: SCHEMA, report: this.id, title: this.report.title, marks: [...this.marks].map(written) };
    save("marks.json", `${JSON.stringify(file, null, 1)}\n`, "application/json");
  }

  /** Ask for a file of marks, and add its marks. */
  load(all: readonly Findings[]): void {
    const input = h("input", { type: "file", accept: ".json,application/json", "aria-label": "File of marks", hidden: true });
    document.body.append(input);
    input.addEventListener("change", () => void this.loaded(input, all));
    input.click();
  }

  private async loaded(input: HTMLInputElement, all: readonly Findings[]): Promise<void> {
    const [file] = input.files ?? [];
    input.remove();
    if (!file) return;
    let said: string;
    try {
      const marks = read(JSON.parse(await file.text()), this.id);
      for (const [name, mark] of marks) this.marks.set(name, mark);
      const known = new Set(all.flatMap((findings) => this.descriptions(findings)));
      const lost = [...marks.keys()].filter((name) => !known.has(name)).length;
      said = `Loaded ${counted(marks.size, "mark")}.`;
      if (lost) said += ` ${counted(lost, "mark")} of the file ${lost === 1 ? "is" : "are"} about errors that this report does not have.`;
      this.keep();
    } catch (error) {
      said = error instanceof Refused ? error.message : `${file.name} is not a file of marks. Choose a file that was saved with “Save marks”.`;
    }
    showDialog("Marks", h("p", { role: "status" }, said));
  }

  private get place(): string {
    return `scoref-marks-${this.id}`;
  }

  private keep(): void {
    try {
      const file = { schema: SCHEMA, report: this.id, marks: [...this.marks].map(written) };
      localStorage.setItem(this.place, JSON.stringify(file));
    } catch {
      // They last as long as the page is open.
    }
    this.changed();
  }

  /** Describe every error of a system. Equal errors are numbered. */
  private descriptions(findings: Findings): Described[] {
    const known = this.described.get(findings);
    if (known) return known;
    const counts = new Map<string, number>();
    const all = Array.from({ length: findings.size }, (_, row) => {
      const { documents, kinds } = this.report;
      const parts = [
        documents[at(findings.document, row)]?.name ?? "",
        kinds[at(findings.columns.kind, row)]?.name ?? "",
        findings.text(row, "words"),
        findings.text(row, "entity"),
        findings.text(row, "company"),
      ];
      const said = JSON.stringify(parts);
      const number = (counts.get(said) ?? 0) + 1;
      counts.set(said, number);
      return JSON.stringify([...parts, number]);
    });
    this.described.set(findings, all);
    return all;
  }
}

/** Return a function that gives the focus back to the button of a mark, which is drawn again in between. */
function focusAgain(): () => void {
  const from = document.activeElement;
  const row = from?.closest<HTMLElement>("[data-row]")?.dataset["row"];
  const inPanel = [...document.querySelectorAll(".panel .mark")].indexOf(from ?? document.body);
  return () => {
    const ofRow = row && document.querySelector<HTMLElement>(`[data-row="${row}"] .mark`);
    const ofPanel = document.querySelectorAll<HTMLElement>(".panel .mark")[inPanel];
    // A filter of marks may have removed the row.
    const other = document.querySelector<HTMLElement>('.entry > button[tabindex="0"]');
    (ofRow || ofPanel || other)?.focus({ preventScroll: true });
  };
}

class Refused extends Error {}

const FIELDS = ["document", "kind", "words", "entity", "put_with", "number"] as const;

function written([name, mark]: [Described, Mark]): Record<string, unknown> {
  const values = JSON.parse(name) as unknown[];
  return { ...Object.fromEntries(FIELDS.map((field, place) => [field, values[place]])), ...mark };
}

/** Read a file of marks. A file of another report is refused. */
export function read(file: unknown, id: string): Map<Described, Mark> {
  const { schema, report, title, marks } = file as { schema: unknown; report: unknown; title?: unknown; marks: unknown };
  if (schema !== SCHEMA || !Array.isArray(marks)) throw new TypeError("not a file of marks");
  if (report !== id) {
    const name = typeof title === "string" && title ? ` (“${title}”)` : "";
    throw new Refused(`These marks belong to another report${name}. They were not loaded.`);
  }
  return new Map(
    marks.map((each: Record<string, unknown>) => {
      const status = STATUSES.find((known) => known === each["status"]) ?? "";
      return [JSON.stringify(FIELDS.map((field) => each[field])), { status, remark: String(each["remark"] ?? "") }];
    }),
  );
}

/** Identify a report by the documents of the key, which do not depend on systems. */
export function identity({ documents }: Pick<Report, "documents">): string {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (const letter of JSON.stringify(documents.map((each) => [each.name, each.tokens, each.mentions, each.entities]))) {
    const code = letter.codePointAt(0) ?? 0;
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other + code, 0x85ebca6b) ^ (other >>> 13);
  }
  return [one, other].map((number) => (number >>> 0).toString(16).padStart(8, "0")).join("");
}
