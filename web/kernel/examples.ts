// The examples that readers can choose: those of papers, and well-known weaknesses of metrics.

import type { Lines } from "./dom";
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
  { name: "Bagga and Baldwin 1998", key: "1 2 3 4 5 | 6 7 | 8 9 A B C", response: "1 2 3 4 5 | 6 7 8 9 A B C" },
  { name: "two large entities merged", key: "1 2 3 4 5 | 6 7 | 8 9 A B C", response: "1 2 3 4 5 8 9 A B C | 6 7" },
  { name: "split entity", key: "a b c d e f g h", response: "a b c d | e f g h" },
  { name: "added wrong entity", key: "a b c | d e f g", response: "a b | c d" },
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

/** The documents of `examples/explain-key.conll` and `explain-response.conll`. */
export const LETTERS: readonly Lines[] = [
  [
    "Ada She her countess | Babbage he | engine it machine | Turin | June",
    "her he countess | Ada She | engine it That machine | Turin | June | notes",
  ],
  ["loom It | Jacquard | cards", "loom It | Jacquard | cards them"],
  ["Menabrea | paper", "Menabrea | paper"],
];

/** The examples of the page about six tools; the first is shown. */
export const TOOL_EXAMPLES: readonly (readonly [name: string, documents: readonly Lines[]])[] = [
  ["three letters", LETTERS],
  ["perfect, with a singleton", [["a b | c", "a b | c"]]],
  ["perfect, other labels", [["a b | c d e", "a b | c d e"], ["f g | h i j", "h i j | f g"]]],
  ["one short document is wrong", [["a b c d e f | g h i j", "a b c d e f | g h i j"], ["x y", "x | y"]]],
  ["extra mentions", [["a b c | d e", "a b c | d e | f | g | h"]]],
  ["Pradhan et al. 2014", [["a b c | d e f g", "a b | c d | f g h i"]]],
]; // prettier-ignore
