import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTHING, read, type State, written } from "../src/state";

test("a state survives being written and read", () => {
  const state: State = {
    document: 11,
    system: 1,
    view: "over",
    kinds: [0, 3],
    className: "proper noun & more",
    entity: { side: 1, number: 4 },
    mention: { side: 0, number: 12 },
    query: "a=b#c",
  };
  assert.deepEqual(read(`#${written(state)}`), state);
});

test("nothing chosen is an empty address", () => {
  assert.equal(written(NOTHING), "");
  assert.deepEqual(read(""), NOTHING);
});

test("an address that makes no sense is as if it were empty", () => {
  assert.deepEqual(read("#document=-3&system=x&view=up&errors=a.b&mention=q7&entity=k"), NOTHING);
});
