import assert from "node:assert/strict";
import { test } from "node:test";
import { findSpots, spotOf, spotsOf } from "../src/spots";
import { Text } from "../src/text";
import type { Kind, TextData } from "../src/types";

const KINDS = ["span", "wrong-link"].map((name): Kind => ({ name, label: name, meaning: "", sign: "" }));
const looks = { label: [], look: [], main: [] };
/** The third mention of the key has two pieces; two mentions of the response are equal. */
const DATA: TextData = {
  words: ["a", "b", "c", "d", "e"],
  sentences: [0],
  empty: [],
  key: { entities: ["x", "y"], classes: null, looks, mentions: [[0, 0, 0], [1, 1, 2], [0, 2, 2, 4, 4]] },
  systems: [
    {
      entities: ["x", "y"],
      classes: null,
      looks,
      mentions: [[0, 0, 0], [0, 3, 3], [1, 3, 3]],
      partner: [0, -1, -1],
      why: null,
      entity_partner: [0, -1],
      errors: [
        { kind: 0, key_mentions: [0], response_mentions: [0], key_entity: 0, response_entity: 0 },
        { kind: 1, key_mentions: [], response_mentions: [2], key_entity: -1, response_entity: 1 },
      ],
    },
  ],
};
const text = new Text(DATA, 0);
const none = { mention: null, entity: null, error: null };

test("a mention is called by its words", () => {
  assert.equal(spotOf(text, { side: 0, number: 1 }), "k2-3");
  assert.equal(spotOf(text, { side: 0, number: 2 }), "k3-3_5-5");
  assert.equal(spotOf(text, { side: 1, number: 1 }), "r4-4");
  assert.equal(spotOf(text, { side: 1, number: 2 }), "r4-4.2");
});

test("what is written is found again", () => {
  const chosen = { mention: { side: 1, number: 2 }, entity: { side: 0, number: 1 }, error: 1 } as const;
  const spots = spotsOf(text, chosen, KINDS);
  assert.deepEqual(spots, { mention: "r4-4.2", entity: "k2-3", error: "wrong-link.r4-4.2" });
  assert.deepEqual(findSpots(text, spots, KINDS), { found: chosen, lost: [] });
  assert.deepEqual(spotsOf(text, none, KINDS), none);
});

test("errors are found if another run numbers them in another way", () => {
  const { errors, ...rest } = DATA.systems[0]!;
  const other = new Text({ ...DATA, systems: [{ ...rest, errors: [...errors].reverse() }] }, 0);
  assert.equal(findSpots(other, { ...none, error: "wrong-link.r4-4.2" }, KINDS).found.error, 0);
});

test("what the text does not have is reported", () => {
  const spots = { mention: "k7-9", entity: "k2-3", error: "span.k2-3" };
  const { found, lost } = findSpots(text, spots, KINDS);
  assert.deepEqual(found, { ...none, entity: { side: 0, number: 1 } });
  assert.deepEqual(lost, ["mention", "error"]);
  for (const damaged of ["k", "k1", "q1-2", "k1-2.9", "k0-0", "5", "k1-2_"])
    assert.deepEqual(findSpots(text, { ...none, mention: damaged }, KINDS).lost, ["mention"]);
});
