import assert from "node:assert/strict";
import { test } from "node:test";

import { shortNames } from "../src/names";

test("what all names have in common is left out, up to a separator", () => {
  assert.deepEqual(shortNames(["(1023_bleak_house_brat); part 000", "(105_persuasion_brat); part 000"]), [
    "1023_bleak_house",
    "105_persuasion",
  ]);
  assert.deepEqual(shortNames(["news/one", "news/only"]), ["one", "only"]);
});

test("names that share only letters, and a name without others, stay as they are", () => {
  assert.deepEqual(shortNames(["bridge", "brown"]), ["bridge", "brown"]);
  assert.deepEqual(shortNames(["a/b"]), ["a/b"]);
  assert.deepEqual(shortNames(["a/", "a/b"]), ["a/", "a/b"]);
});
