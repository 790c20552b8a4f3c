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

test("names that are only numbers keep their beginning", () => {
  assert.deepEqual(shortNames(["document 6", "document 12"]), ["document 6", "document 12"]);
  assert.deepEqual(shortNames(["(story/1); part 000", "(story/2); part 000"]), ["story/1", "story/2"]);
  assert.deepEqual(shortNames(["1_a", "2_a"]), ["1", "2"]);
});

test("names that share only letters, and a name without others, stay as they are", () => {
  assert.deepEqual(shortNames(["bridge", "brown"]), ["bridge", "brown"]);
  assert.deepEqual(shortNames(["a/b"]), ["a/b"]);
  assert.deepEqual(shortNames(["a/", "a/b"]), ["a/", "a/b"]);
});
