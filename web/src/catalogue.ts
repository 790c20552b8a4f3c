/** All errors of the report by system, the sentences about them, and their marks. */

import { digitsOf, sentenceOf, textOf } from "./entries";
import { type ErrorsData, Findings } from "./findings";
import { at } from "./lists";
import { type Mark, Marks } from "./marks";
import { signed } from "./numbers";
import { say } from "./terms";
import type { Report } from "./types";

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
