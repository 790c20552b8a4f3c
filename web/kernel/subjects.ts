// What a page draws: a metric, or a task whose figures are those of a metric over other entities.

import { percent } from "../src/numbers";
import { problemOfEntities, readLine } from "./corpus";
import { type Drawn, type Picture, draw, drawSpans } from "./drawing";
import { LABELS, type Metric, type Score, count, score, scoreOf } from "./metrics";
import { spellOut, spellRatios } from "./sums";
import type { Entities } from "./table";
import { VARIANTS, type Variant, countVariant, sidesOf } from "./variants";
import { mor, readSpans, zeros } from "./words";

/** Tasks with the drawing of a metric: its name for it, and the metrics that have the same figures as scoref. */
const TASKS = {
  plurals: { drawn: "bcub", metrics: ["bcub", "ceafm", "ceafe", "lea"] },
  deixis: { drawn: "bcub", metrics: ["mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea"] },
  "non-referring": { drawn: "mentions", metrics: ["mentions"] },
  bridging: { drawn: "mentions", metrics: ["mentions"] },
} as const satisfies Record<string, { drawn: Drawn; metrics: readonly Metric[] }>;
type Task = keyof typeof TASKS;

export type Subject = Drawn | "mor" | Variant | Task;

export const NAMES: Record<Subject, string> = {
  ...LABELS,
  zeros: "Zeros",
  mor: "MOR",
  "bcub-0": "B³_0",
  "bcub-all": "B³_all",
  "bcub-rn": "B³_r&n",
  "bcub-sys": "B³_sys",
  plurals: "B³",
  deixis: "B³",
  "non-referring": "Non-referring",
  bridging: "Bridging markables",
};

const OF_ENTITIES =
  "Edit either line: blanks between mentions, a bar between entities. Or drag a mention to another entity. " +
  "By keyboard: focus a mention, then press ← or → to move it, or Delete.";
const HINTS: Partial<Record<Subject, string>> = {
  mor: "Edit either line: word numbers such as 1-3, with blanks between mentions.",
  plurals: `The lines are the elements of two plurals. ${OF_ENTITIES}`,
  deixis: `P1 and P2 are passages. ${OF_ENTITIES}`,
  "non-referring": "Edit either line: the mentions that refer to nothing, with blanks between them.",
  bridging: "Edit either line: d>h says that the antecedent of the anaphor d is h.",
};

export function hintOf(subject: Subject): string {
  return HINTS[subject] ?? OF_ENTITIES;
}

const ROWS: readonly Metric[] = TASKS.deixis.metrics;

export interface View {
  picture: Picture;
  sums: string[];
  /** Name, recall, precision and F₁ of each row of the table. */
  rows: string[][];
}

/** Why an example cannot be drawn, or nothing. */
export function problemOf(subject: Subject, key: string, response: string): string {
  if (subject === "mor") {
    const isRead = readSpans(key) && readSpans(response);
    return isRead ? "" : "Write mentions as word numbers, such as 1-3 for three words, with blanks between mentions.";
  }
  return problemOfEntities(readLine(key), readLine(response));
}

export function view(subject: Subject, key: string, response: string, width: number): View {
  if (subject === "mor") {
    const sides = [readSpans(key)!, readSpans(response)!] as const;
    const counts = mor(...sides);
    return { picture: drawSpans(...sides, width), sums: spellRatios(counts), rows: [rowOf("MOR", scoreOf(counts))] };
  }
  const sides = [readLine(key), readLine(response)] as const;
  if (isVariant(subject)) {
    const { recall, precision } = sidesOf(subject, ...sides);
    const rows = [rowOf(LABELS.bcub, score(count(...sides)).bcub)];
    for (const variant of VARIANTS) rows.push(rowOf(NAMES[variant], scoreOf(countVariant(variant, ...sides))));
    return { picture: draw("bcub", ...recall, width, precision), sums: spellOut("bcub", ...recall, precision), rows };
  }
  const drawn = isTask(subject) ? TASKS[subject].drawn : subject;
  return { picture: draw(drawn, ...sides, width), sums: spellOut(drawn, ...sides), rows: rowsOf(subject, ...sides) };
}

function isVariant(subject: Subject): subject is Variant {
  return (VARIANTS as readonly string[]).includes(subject);
}

function isTask(subject: Subject): subject is Task {
  return subject in TASKS;
}

function rowsOf(subject: Drawn | Task, key: Entities, response: Entities): string[][] {
  if (subject === "zeros") return [rowOf("Zeros", scoreOf(zeros(key, response)))];
  const scores = score(count(key, response));
  const metrics = isTask(subject) ? TASKS[subject].metrics : subject === "pairwise" ? [...ROWS, subject] : ROWS;
  if (metrics.length === 1) {
    const row = rowOf(NAMES[subject], scores[metrics[0]!]);
    return subject === "bridging" ? [rowOf("Bridging anaphors", recognition(key, response)), row] : [row];
  }
  const rows = metrics.map((metric) => rowOf(LABELS[metric], scores[metric]));
  if (subject !== "plurals") rows.splice(ROWS.length, 0, [LABELS.conll, "", "", percent(scores.conll.f1)]);
  return rows;
}

/** Bridging with any antecedent: what is before the sign. */
function recognition(key: Entities, response: Entities): Score {
  const anaphors = (side: Entities): Entities => [[...new Set(side.flat().map((bridge) => bridge.split(">")[0]!))]];
  return score(count(anaphors(key), anaphors(response))).mentions;
}

function rowOf(name: string, { recall, precision, f1, isDefined }: Score): string[] {
  return [name, ...[recall, precision, f1].map((figure) => (isDefined ? percent(figure) : "–"))];
}
