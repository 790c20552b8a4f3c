/** All errors of the report by system, the sentences about them, and their marks. */

import { digitsOf, sentenceOf, textOf } from "./entries";
import { type ErrorsData, Findings, type Selection } from "./findings";
import { at } from "./lists";
import { MARKED, type Mark, Marks } from "./marks";
import { signed } from "./numbers";
import { say } from "./terms";
import type { State } from "./state";
import type { Report } from "./types";
import { IN_TEXT, type Wanted } from "./wanted";

/** What else is known about an error of a text. */
export interface Known {
  said: string;
  /** What fixing it gains. */
  gain: string;
  mark: Mark | undefined;
  edit: () => void;
}

export class Catalogue {
  readonly all: Findings[];
  readonly marks: Marks;

  constructor(
    private readonly report: Report,
    readonly data: ErrorsData,
    marked: () => void,
  ) {
    this.all = data.systems.map((_, system) => new Findings(data, system, report.documents));
    this.marks = new Marks(report, marked);
  }

  /** Select the errors that a state wants. "Other" are those of the other system. */
  select({ wanted, system, beside }: State): { findings: Findings; found: Selection } {
    const isOther = wanted.who === "other" && beside !== null;
    const findings = this.all[isOther ? beside : system] ?? at(this.all, 0);
    const asked = isOther ? ({ ...wanted, who: "only" } as const) : wanted;
    const isMarked = MARKED[wanted.mark];
    const found = findings.select(
      asked,
      isOther ? system : beside,
      isMarked && ((row) => isMarked(this.marks.of(findings, row))),
    );
    return { findings, found };
  }

  /** Return the metric by whose gains errors are sorted; "" for the order of the text. */
  metric({ metrics }: Findings, sort: string): string {
    const chosen = sort || this.report.metric.name;
    return metrics.includes(chosen) ? chosen : sort === IN_TEXT ? "" : (metrics[0] ?? "");
  }

  /** Sort errors as the list shows them. */
  sorted(findings: Findings, rows: readonly number[], { sort }: Wanted): readonly number[] {
    const groups = sort ? [] : (this.report.systems[findings.system]?.groups ?? []);
    return findings.sorted(rows, this.metric(findings, sort), groups);
  }

  /** Describe an error in the words of the terminal. */
  said(findings: Findings, row: number): string {
    return sentenceOf(findings, row, this.report.kinds[at(findings.columns.kind, row)]).map(textOf).join("");
  }

  /** Describe an error by its place among those of a document. */
  known(system: number, document: number, number: number): Known {
    const findings = at(this.all, system);
    const row = findings.rowOf(document, number);
    const said = this.said(findings, row);
    const { metric } = this.report;
    const value = findings.gain(row, metric.name);
    const gain = value === null ? "" : `${metric.label} ${signed(value, digitsOf(findings.mostGained(metric.name)))} if ${say().fixed}`;
    return { said, gain, mark: this.marks.of(findings, row), edit: () => this.marks.edit(findings, row, said) };
  }
}
