/** Words for what a page compares: systems with a key make errors, annotators differ. */

import type { Report } from "./types";

const OF_SYSTEMS = {
  error: "error",
  Errors: "Errors",
  system: "System",
  who: "Who is wrong",
  is: "is wrong",
  both: "Both are wrong",
  verdicts: ["Who is wrong: any", "Both are right"] as readonly [string, string],
  perfect: "a perfect score",
  complete: "Nothing is missing: the score is perfect.",
  fixing: "fixing",
  fixed: "fixed",
  signs: "Error signs",
  only: "Errors only one system makes",
  pairs: "errors of the first system where the second is right",
  wrong: "What is wrong",
  mistaken: "key is wrong",
  mark: "mark the key as wrong",
  nothing: "There is nothing to fix.",
  correct: "correct",
  none: "No errors: the response is the same as the key.",
  weakest: "Weakest documents",
};

export type Terms = { readonly [name in keyof typeof OF_SYSTEMS]: (typeof OF_SYSTEMS)[name] };

const OF_ANNOTATORS: Terms = {
  error: "difference",
  Errors: "Differences",
  system: "Annotator",
  who: "Who differs",
  is: "differs",
  both: "Both differ",
  verdicts: ["Who differs: any", "Both agree"],
  perfect: "full agreement",
  complete: "The annotators agree.",
  fixing: "settling",
  fixed: "settled",
  signs: "Signs of differences",
  only: "Differences of one annotator only",
  pairs: "differences of the first annotator where the second agrees",
  wrong: "Where the annotators differ",
  mistaken: "to be changed",
  mark: "mark it to be changed",
  nothing: "The annotators agree.",
  correct: "the same",
  none: "No differences.",
  weakest: "Documents of lowest agreement",
};

let terms: Terms = OF_SYSTEMS;

/** Choose the words for a page. This must come before anything is drawn. */
export function speakOf(report: Report): void {
  terms = report.annotator ? OF_ANNOTATORS : OF_SYSTEMS;
}

/** Return the words for this page. */
export function say(): Terms {
  return terms;
}

/** Return the help on the overview. */
export function helpOnReport(report: Report): string[] {
  if (report.clusters)
    return ["Hover over a dotted term, or move the focus to it, to see what it means.", "Each strip is a cluster. Its parts are the clusters of the other side that share members with it."];
  const { error, fixed } = terms;
  return [
    ...(report.annotator ? [] : ["The key is the annotation that counts as correct. A response is the output of a system."]),
    `A gain is the number of points by which the score would rise if only this ${error}, kind or group were ${fixed}. Gains of groups that overlap cannot be added up.`,
    ...(report.errors ? [`Click a group, a part of a bar or a figure in a table to list its ${error}s. Click one of the ${error}s to see it in its text. In the list, the arrow keys move from one to the next.`] : []),
    "Hover over a dotted term, or move the focus to it, to see what it means.",
  ];
}

/** Return the help on a document. */
export function helpOnText(): string[] {
  return [
    "A line above or below words is a mention. Mentions of one entity have the same colour and label on both sides.",
    `Mentions of ${terms.error}s have a red sign. The legend says what the signs mean.`,
    "Click a mention to see its entity on both sides. Click again to select the mention around it.",
  ];
}
