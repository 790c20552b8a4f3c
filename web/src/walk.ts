/** The errors that the filters of the report leave, in the order of their list. The text view steps through them. */

import { tidied } from "./entries";
import { nameOfClass } from "./filter";
import type { Findings } from "./findings";
import { at } from "./lists";
import type { Report } from "./types";
import type { Wanted } from "./wanted";

/** Where the error of the text view is in the list. */
export interface Listed {
  /** -1 if no error of the list is selected. */
  place: number;
  total: number;
  name: string;
}

export class Walk {
  private last = -1;

  constructor(
    private readonly findings: Findings,
    private readonly rows: readonly number[],
    private readonly name: string,
    private readonly hasText: (document: number) => boolean,
  ) {}

  /** Find an error by its place among those of a document. */
  at(document: number, error: number | null): Listed {
    const place = error === null ? -1 : this.rows.indexOf(this.findings.rowOf(document, error));
    if (place >= 0) this.last = place;
    return { place, total: this.rows.length, name: this.name };
  }

  /** Return the next or previous error whose text the page has, from the last one to the first; null if there is none. */
  step(step: 1 | -1): { document: number; error: number } | null {
    const { findings, rows } = this;
    const count = rows.length;
    const from = this.last < 0 && step < 0 ? 0 : this.last;
    for (let away = 1; away <= count; away++) {
      const row = at(rows, (((from + step * away) % count) + count) % count);
      const document = at(findings.document, row);
      if (this.hasText(document)) return { document, error: at(findings.number, row) };
    }
    return null;
  }
}

/** Name a list by its filters; a group of errors has its own name. */
export function nameOfList(report: Report, findings: Findings, wanted: Wanted, documents: readonly string[]): string {
  const classes = findings.names("class");
  const groups = report.systems[findings.system]?.groups ?? [];
  const [kind, ...kinds] = wanted.kind;
  const isPlain = !kinds.length && wanted.class.length < 2 && wanted.words === null && !wanted.document.length && !wanted.entity;
  const named = wanted.class.length ? (classes[at(wanted.class, 0)] ?? null) : null;
  const group = isPlain
    ? groups.find((each) => each.kind === kind && each.class === named && each.words === null && each.document === null)
    : undefined;
  const present = findings.presentClasses;
  const parts = [
    group?.title ?? wanted.kind.map((each) => report.kinds[each]?.label ?? "").join(", "),
    group ? "" : wanted.class.map((each) => nameOfClass(classes[each] ?? "", present)).join(", "),
    wanted.words === null ? "" : `“${tidied(wanted.words)}”`,
    wanted.entity === null ? "" : `put with “${tidied(wanted.entity)}”`,
    wanted.query && `“${wanted.query}”`,
    wanted.document.map((each) => documents[each] ?? "").join(", "),
  ];
  return parts.filter(Boolean).join(" · ") || "the filtered list";
}
