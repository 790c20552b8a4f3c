/** The names of both sides: key and response, or two annotators. */

import type { Report } from "./types";

export interface SideNames {
  /** Above a column. */
  titles: [string, string];
  /** Within a sentence. */
  called: [string, string];
}

/** Name the sides of a system's texts. */
export function sideNames(report: Report, system: number): SideNames {
  const { annotator } = report;
  if (!annotator) return { titles: ["Key", "Response"], called: ["the key", "the response"] };
  const names: [string, string] = [annotator, report.systems[system]?.name ?? ""];
  return { titles: names, called: names };
}

/** Pass names to the style sheet. */
export function nameSides(report: Report): void {
  if (!report.annotator) return;
  const { style } = document.documentElement;
  style.setProperty("--key-name", quoted(report.annotator));
  // Signs for key and response are short, names are not.
  style.setProperty("--side-width", "4.2rem");
  report.systems.forEach((system, number) => style.setProperty(`--response-${number}`, quoted(system.name)));
}

/** Mark an element as part of a system's texts. */
export function ofSystem(element: HTMLElement, system: number): void {
  element.style.setProperty("--response-name", `var(--response-${system})`);
}

/** Quote text for a style sheet. */
function quoted(text: string): string {
  return `"${text.replace(/\s+/g, " ").replace(/["\\]/g, "\\$&")}"`;
}
