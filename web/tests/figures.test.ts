import assert from "node:assert/strict";
import { test } from "node:test";
import { commonest, countUpTo } from "../src/lists";
import { count, counted, percent, rounded, signed } from "../src/numbers";

test("figures are written for people", () => {
  assert.equal(percent(2 / 3), "66.67");
  assert.equal(percent(null), "–");
  assert.equal(count(1234567), "1,234,567");
  assert.equal(counted(1, "error"), "1 error");
});

test("figures halfway between two are rounded as in the terminal", () => {
  assert.deepEqual([0.03125, 0.03375, 0.50625, -0.03125].map((value) => percent(value)), ["3.12", "3.38", "50.62", "-3.12"]);
  assert.deepEqual([0.25, 0.35, 0.75, 2.5].map((value) => rounded(value, 1)), ["0.2", "0.3", "0.8", "2.5"]);
  assert.deepEqual([0.5, 1.5, 2.5].map((value) => rounded(value, 0)), ["0", "2", "2"]);
});

test("differences have a sign, unless they round to nothing", () => {
  assert.deepEqual([0.0123, -0.5, -0.00001, 0].map((value) => signed(value)), ["+1.23", "−50.00", "0.00", "0.00"]);
});

test("the first of the commonest wins", () => {
  assert.equal(commonest([3, 5, 5, 3]), 3);
  assert.equal(commonest([]), -1);
});

test("counting in a sorted list", () => {
  assert.equal(countUpTo([0, 4, 9], 4), 2);
  assert.equal(countUpTo([], 4), 0);
});
