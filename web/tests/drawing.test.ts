import assert from "node:assert/strict";
import { test } from "node:test";
import { type Box, clipped, lanes, type Mark, marksOf, nested } from "../src/drawing";

const mark = (mention: number, start: number, end: number, side: 0 | 1 = 0): Mark => ({
  side,
  mention,
  start,
  end,
  isGap: false,
  reach: end - start,
  opens: true,
  closes: true,
});

/** Write boxes as brackets: `0[4 2[5-6]]`. */
const drawn = (boxes: readonly Box[]): string =>
  boxes
    .map(
      (box) =>
        `${box.mention}${box.opens ? "[" : "…"}${box.start}-${box.end}${drawn(box.inner)}${box.closes ? "]" : "…"}`,
    )
    .join("");

test("a mention inside another one is drawn inside it", () => {
  assert.equal(drawn(nested([mark(1, 2, 3), mark(0, 0, 5)])), "0[0-51[2-3]]");
});

test("neighbours are drawn one behind the other", () => {
  assert.equal(drawn(nested([mark(1, 2, 3), mark(0, 0, 1)])), "0[0-1]1[2-3]");
});

test("where two cross, the later one is cut in two", () => {
  assert.equal(drawn(nested([mark(0, 0, 3), mark(1, 2, 5)])), "0[0-31[2-3…]1…4-5]");
});

test("three that cross keep all their words", () => {
  const boxes = nested([mark(0, 0, 3), mark(1, 2, 5), mark(2, 3, 8)]);
  const words = new Map<number, number[]>();
  const walk = (list: readonly Box[]): void => {
    for (const box of list) {
      const tokens = words.get(box.mention) ?? [];
      for (let token = box.start; token <= box.end; token++) tokens.push(token);
      words.set(box.mention, tokens);
      walk(box.inner);
    }
  };
  walk(boxes);
  assert.deepEqual(words.get(1), [2, 3, 4, 5]);
  assert.deepEqual(words.get(2), [3, 4, 5, 6, 7, 8]);
});

test("of the same words on both sides, the key's are outside", () => {
  assert.equal(drawn(nested([mark(7, 1, 2, 1), mark(0, 1, 2)])), "0[1-27[1-2]]");
});

test("a mention with a hole has a mark for the hole", () => {
  const marks = marksOf(0, 4, [1, 2, 5, 5]);
  assert.deepEqual(
    marks.map(({ start, end, isGap, opens, closes }) => [start, end, isGap, opens, closes]),
    [
      [1, 2, false, true, false],
      [3, 4, true, false, false],
      [5, 5, false, false, true],
    ],
  );
});

test("what goes on in the next row neither ends here nor begins there", () => {
  const whole = mark(0, 2, 9);
  assert.equal(clipped(whole, 0, 5)?.closes, false);
  assert.equal(clipped(whole, 6, 12)?.opens, false);
  assert.equal(clipped(whole, 10, 12), null);
});

test("lanes are nearer to the words inside than outside", () => {
  const found = lanes([mark(0, 0, 9), mark(1, 2, 5), mark(2, 3, 3), mark(3, 8, 8)], 0);
  assert.deepEqual(
    [0, 1, 2, 3].map((mention) => found.get(mention)),
    [2, 1, 0, 0],
  );
});

test("no two mentions that overlap share a lane", () => {
  const marks = [mark(0, 0, 3), mark(1, 2, 5), mark(2, 4, 7), mark(3, 0, 3), ...marksOf(0, 4, [0, 0, 7, 7])];
  const found = lanes(marks, 0);
  const hulls: [number, number, number][] = [
    [0, 0, 3],
    [1, 2, 5],
    [2, 4, 7],
    [3, 0, 3],
    [4, 0, 7],
  ];
  for (const [one, start, end] of hulls)
    for (const [other, from, to] of hulls)
      if (one !== other && start <= to && from <= end) assert.notEqual(found.get(one), found.get(other));
});

test("lanes of one side do not depend on the other", () => {
  const key = [mark(0, 0, 3)];
  assert.deepEqual(lanes([...key, mark(9, 0, 9, 1)], 0), lanes(key, 0));
});
