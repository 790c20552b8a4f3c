import assert from "node:assert/strict";
import { test } from "node:test";
import { blocksOf, rowsOf } from "../src/rows";
import { Searchable } from "../src/search";
import { spaceBetween } from "../src/spacing";

test("search finds words, parts of words and words in a row", () => {
  const text = new Searchable(["The", "old", "Clockmaker", "wound", "the", "clock", "."]);
  assert.deepEqual(text.find("clock"), [
    [2, 2],
    [5, 5],
  ]);
  assert.deepEqual(text.find("THE  CLOCK"), [[4, 5]]);
  assert.deepEqual(text.find("k ."), [[5, 6]]);
  assert.deepEqual(text.find("  "), []);
  assert.deepEqual(text.find("nowhere"), []);
});

test("search finds what is seen, and words with spaces between them", () => {
  const text = new Searchable(["Ada", "'s", "plans", ",", "(", "she", ")", "said"]);
  assert.deepEqual(text.find("ada's plans, (she)"), [[0, 6]]);
  assert.deepEqual(text.find("ada 's"), [[0, 1]]);
  assert.deepEqual(text.find(") said"), [[6, 7]]);
});

test("search does not mind letters that are longer when small", () => {
  const text = new Searchable(["İstanbul", "ﬁn", "end"]);
  assert.deepEqual(text.find("fin"), [[1, 1]]);
  assert.deepEqual(text.find("end"), [[2, 2]]);
});

test("blanks stand where people put them", () => {
  const cases: [string, string, string][] = [
    ["old", "clock", " "],
    ["clock", ".", ""],
    ["(", "she", ""],
    ["Ada", "'s", ""],
    ["do", "n't", ""],
    ["猫", "が", ""],
    ["猫", "cat", " "],
    ["a", "'sour", " "],
    ["", "", " "],
  ];
  for (const [word, next, expected] of cases)
    assert.equal(spaceBetween(word, next), expected, `${word} ${next}`);
});

test("rows are sentences, and parts of very long ones", () => {
  const rows = rowsOf([0, 3, 503], 504);
  assert.deepEqual(rows[0], { start: 0, end: 2, sentence: 0 });
  assert.equal(rows.filter((row) => row.sentence >= 0).length, 3);
  assert.ok(rows.every((row) => row.end - row.start < 200));
  assert.deepEqual(rows[rows.length - 1], { start: 503, end: 503, sentence: 2 });
  rows.slice(1).forEach((row, place) => assert.equal(row.start, (rows[place]?.end ?? 0) + 1));
});

test("sentences without a word make no row", () => {
  assert.equal(rowsOf([0, 2, 2], 3).length, 2);
  assert.deepEqual(rowsOf([], 0), []);
});

test("blocks hold rows together, and few of them", () => {
  const rows = rowsOf(
    Array.from({ length: 1000 }, (_, number) => number * 10),
    10_000,
  );
  const blocks = blocksOf(rows);
  assert.equal(blocks[0], 0);
  assert.ok(blocks.length < 50);
});
