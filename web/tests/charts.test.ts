import assert from "node:assert/strict";
import { test } from "node:test";
import { apart, nearest, shortened } from "../src/charts/scatter";
import { linear, logarithmic } from "../src/charts/scale";
import { contour } from "../src/overview";

test("a name that is too long loses its middle", () => {
  assert.equal(shortened("ours", 4), "ours");
  assert.equal(shortened("abcdefgh", 5), "ab…gh");
  assert.equal(shortened("abcdefgh", 0), "a…h");
  assert.equal(shortened("😀😀😀😀", 3), "😀…😀");
});

test("scales put values where they belong, with round ticks", () => {
  const scale = linear([0.52, 0.97], [0, 100]);
  assert.deepEqual(scale.ticks, [0.5, 0.6, 0.7, 0.8, 0.9, 1]);
  assert.equal(scale.place(0.5), 0);
  assert.equal(scale.place(1), 100);
});

test("a scale of one value is no division by nothing", () => {
  assert.ok(Number.isFinite(linear([0, 0], [0, 100]).place(0)));
  assert.ok(Number.isFinite(logarithmic([5, 5], [0, 100]).place(5)));
  assert.ok(Number.isFinite(logarithmic([0, 0], [0, 100]).place(0)));
});

test("logarithmic ticks are few", () => {
  assert.deepEqual(logarithmic([3, 20_000], [0, 300], 5).ticks, [10, 100, 1000, 10_000]);
});

test("names of points do not lie upon each other", () => {
  assert.deepEqual(apart([10, 12, 50], 15), [10, 25, 50]);
});

test("the nearest point is the one that is meant, if it is near", () => {
  assert.equal(
    nearest(
      [
        [0, 0],
        [10, 0],
      ],
      [8, 1],
    ),
    1,
  );
  assert.equal(nearest([[0, 0]], [100, 0]), -1);
});

test("a contour has the same F1 everywhere", () => {
  for (const [recall, precision] of contour(0.6, 0.1))
    assert.ok(Math.abs((2 * recall * precision) / (recall + precision) - 0.6) < 1e-9);
});
