import assert from "node:assert/strict";
import { test } from "node:test";

import { netGroups } from "../src/story";
import type { ErrorGroup, System } from "../src/types";

function group(kind: number, gain: number, more: Partial<ErrorGroup> = {}): ErrorGroup {
  return { title: `group ${kind}`, detail: "", count: 3, gain, kind, class: null, words: null, document: null, ...more };
}

function system(name: string, ...groups: ErrorGroup[]): System {
  return { name, groups, scores: [], errors: [], documents: [] };
}

test("groups of two systems are compared by what they cost, the largest difference first", () => {
  const one = system("one", group(0, 0.03), group(1, 0.01), group(2, 0.02), group(3, 0.01), group(4, 0.005));
  const other = system("other", group(0, 0.02), group(1, 0.04), group(2, 0.02), group(3, 0.01, { class: "pronoun" }));
  const found = netGroups(one, other).map(({ net, ours }) => [ours.kind, Math.round(1000 * net)]);
  assert.deepEqual(found, [[1, -30], [0, 10]]);
});

test("groups by words or document are not compared", () => {
  const one = system("one", group(0, 0.03, { words: "her" }), group(1, 0.03, { document: 2 }));
  assert.deepEqual(netGroups(one, system("other", group(0, 0.01), group(1, 0.02))), []);
});
