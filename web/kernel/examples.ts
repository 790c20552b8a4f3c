// The examples that readers can choose: those of papers, and well-known weaknesses of metrics.

import type { Lines } from "./dom";
import type { Subject } from "./subjects";
import { VARIANTS } from "./variants";

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

// Examples of Cai and Strube (2010), section 2.
const TWINLESS: readonly Example[] = [
  { name: "missed c, invented d", key: "a b c", response: "a b d" },
  { name: "two invented in an entity", key: "a b c", response: "a b d e" },
  { name: "c alone", key: "a b c", response: "a b d | c" },
  { name: "invented singletons", key: "a b", response: "a b d | i | j | k" },
  { name: "an invented entity", key: "a b c", response: "a b | i j | c" },
  { name: "no mention on one side only", key: "a b c | d e", response: "a b | c d e" },
];

const PLURALS: readonly Example[] = [
  { name: "an element is wrong", key: "Ada her | Bob", response: "Ada her | Bob | Eva" },
  { name: "an element is missing", key: "Ada her | Bob he", response: "Ada her" },
  { name: "another person", key: "Ada her | Bob", response: "Ada her | Eva" },
  { name: "perfect", key: "Ada her | Bob", response: "Ada her | Bob" },
];

const PASSAGES: readonly Example[] = [
  { name: "another passage", key: "P1 it", response: "P2 it" },
  { name: "found, but not linked", key: "P1 it", response: "P1 | it" },
  { name: "two passages", key: "P1 it | P2 he", response: "P1 it he | P2" },
  { name: "perfect", key: "P1 it", response: "P1 it" },
];

const EXPLETIVES: readonly Example[] = [
  { name: "one too many", key: "it1", response: "it1 it2" },
  { name: "one missed", key: "it1 it2", response: "it1" },
  { name: "perfect", key: "it1 it2", response: "it1 it2" },
];

const BRIDGES: readonly Example[] = [
  { name: "another antecedent", key: "d>i", response: "d>h" },
  { name: "one of two is right", key: "d>h r>h", response: "d>h r>i" },
  { name: "one missed, one invented", key: "d>h r>h", response: "d>h w>h" },
  { name: "perfect", key: "d>h r>h", response: "d>h r>h" },
];

const EXAMPLES: Partial<Record<Subject, readonly Example[]>> = {
  zeros: ZEROS,
  mor: SPANS,
  plurals: PLURALS,
  deixis: PASSAGES,
  "non-referring": EXPLETIVES,
  bridging: BRIDGES,
  ...Object.fromEntries(VARIANTS.map((variant) => [variant, TWINLESS])),
};

export function examplesOf(subject: Subject): readonly Example[] {
  return EXAMPLES[subject] ?? ENTITIES;
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
  variants: ["bcub-sys", "bcub-rn", "bcub-all", "bcub-0"],
  "split-antecedents": ["plurals"],
  "discourse-deixis": ["deixis"],
  bridging: ["bridging"],
  "non-referring": ["non-referring"],
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
