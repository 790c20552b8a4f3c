// The examples that readers can choose: those of papers, and well-known weaknesses of metrics.

import type { Drawn } from "./drawing";

export type Subject = Drawn | "mor";

export interface Example {
  name: string;
  key: string;
  response: string;
}

const PRADHAN: Example = {
  name: "Pradhan et al. 2014",
  key: "a b c | d e f g",
  response: "a b | c d | f g h i",
};

const ENTITIES: readonly Example[] = [
  PRADHAN,
  { name: "everything in one", key: "a b c d e | f g h i j | k | l", response: "a b c d e f g h i j k l" },
  { name: "nothing linked", key: "a b | c | d | e | f | g", response: "a | b | c | d | e | f | g" },
  { name: "split entity", key: "a b c d e f g h", response: "a b c d | e f g h" },
  { name: "added wrong entity (Moosavi and Strube 2016)", key: "a b c | d e f g", response: "a b | c d" },
  { name: "invented singletons", key: "a b", response: "a b | x | y" },
  { name: "perfect", key: "a b c | d e f g", response: "a b c | d e f g" },
];

const ZEROS: readonly Example[] = [
  { name: "four verdicts", key: "Ana 01 she 02 | Eva 03 | car 04", response: "Ana 01 she | Eva 02 03 | car 05" },
  { name: "found, but not linked", key: "Ana 01 02", response: "Ana | 01 02" },
  { name: "perfect", key: "Ana 01 she 02 | Eva 03", response: "Ana 01 she 02 | Eva 03" },
];

const SPANS: readonly Example[] = [
  { name: "nearly right", key: "1-3 5 7-8 10-14", response: "1-3 5-6 8 11-14 16" },
  { name: "one long mention hides short ones", key: "1-12 14 16 18 20", response: "1-12" },
  { name: "perfect", key: "1-3 5 7-8", response: "1-3 5 7-8" },
];

export function examplesOf(subject: Subject): readonly Example[] {
  return subject === "zeros" ? ZEROS : subject === "mor" ? SPANS : ENTITIES;
}

/** The subjects that a page draws; the first is shown. */
export const SUBJECTS: Record<string, readonly Subject[]> = {
  mentions: ["mentions"],
  muc: ["muc"],
  "b-cubed": ["bcub"],
  ceaf: ["ceafe", "ceafm"],
  blanc: ["blanc"],
  lea: ["lea"],
  conll: ["conll"],
  clusterings: ["pairwise"],
  zeros: ["zeros"],
  mor: ["mor"],
};
