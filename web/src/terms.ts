/** Words for what a page compares: systems with a key make errors, annotators differ. */

import type { Report } from "./types";

const OF_SYSTEMS = {
  error: "error",
  Errors: "Errors",
  system: "System",
  who: "Who is wrong",
  is: "is wrong",
  both: "Both are wrong",
  verdicts: ["Right and wrong", "Both are right"] as readonly [string, string],
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
  weak: "Weak document",
  weakest: "The weakest document",
};

export type Terms = { readonly [name in keyof typeof OF_SYSTEMS]: (typeof OF_SYSTEMS)[name] };

const OF_ANNOTATORS: Terms = {
  error: "difference",
  Errors: "Differences",
  system: "Annotator",
  who: "Who differs",
  is: "differs",
  both: "Both differ",
  verdicts: ["Same and different", "Both agree"],
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
  weak: "Document of low agreement",
  weakest: "The document of lowest agreement",
};

let terms: Terms = OF_SYSTEMS;

/** Choose the words for a page, before anything is drawn. */
export function speakOf(report: Report): void {
  terms = report.annotator ? OF_ANNOTATORS : OF_SYSTEMS;
}

/** Give the words for this page. */
export function say(): Terms {
  return terms;
}
