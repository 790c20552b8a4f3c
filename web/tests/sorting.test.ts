import assert from "node:assert/strict";
import { test } from "node:test";
import { compared, figureOf } from "../src/sorting";

test("figures are read as they are written", () => {
  const written = ["77.80", "−1.25", "1\u202f204", "+0.50", "–", ""];
  assert.deepEqual(
    written.map((text) => figureOf(text, false)),
    [77.8, -1.25, 1204, 0.5, null, null],
  );
  assert.equal(figureOf("en_GUM", true), "en_gum");
});

test("what is missing comes last, whichever way", () => {
  const values = [2, null, 1];
  assert.deepEqual([...values].sort((a, b) => compared(a, b, 1)), [1, 2, null]);
  assert.deepEqual([...values].sort((a, b) => compared(a, b, -1)), [2, 1, null]);
});
