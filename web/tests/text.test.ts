import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { chainOf, NOWHERE, OTHER_WORDS, whereTo } from "../src/chain";
import { unpacked } from "../src/data";
import { signOf, stepFrom, wantedErrors } from "../src/errors";
import { classesOf, shownErrors, shownMentions } from "../src/filter";
import { NOTHING } from "../src/state";
import { Text } from "../src/text";
import type { TextData } from "../src/types";
import { type PackedText, restored } from "../src/unpacking";

/** "Ada saw Bob . She waved ∅ ." with Ada's entity divided, and one mention made up. */
const DATA: TextData = {
  words: ["Ada", "saw", "Bob", ".", "She", "waved", "_", "."],
  sentences: [0, 4],
  empty: [6],
  key: {
    entities: ["a", "b"],
    mentions: [
      [0, 0, 0],
      [0, 4, 4],
      [0, 6, 6],
      [1, 2, 2],
    ],
    classes: ["name", "pronoun", "zero", "name"],
    looks: { label: ["1", "2"], look: [0, -1], main: [0, 1] },
  },
  systems: [
    {
      entities: ["x", "y"],
      mentions: [
        [0, 4, 4],
        [0, 0, 0],
        [1, 6, 6],
        [1, 1, 2],
      ],
      classes: ["pronoun", "name", "zero", "verb"],
      looks: { label: ["1", "a"], look: [0, 1], main: [0, -1] },
      partner: [1, 0, 2, -1],
      why: ["exact", "head", "exact", "exact"],
      entity_partner: [0, 0],
      errors: [
        {
          kind: 1,
          key_mentions: [2],
          response_mentions: [2],
          key_entity: 0,
          response_entity: 1,
        },
        {
          kind: 0,
          key_mentions: [],
          response_mentions: [3],
          key_entity: -1,
          response_entity: 1,
        },
        {
          kind: 2,
          key_mentions: [3],
          response_mentions: [],
          key_entity: 1,
          response_entity: -1,
        },
      ],
    },
  ],
};
const text = new Text(DATA, 0);

test("mentions of an entity stand in the order of the text", () => {
  assert.deepEqual(text.sides[1].ofEntity[0], [1, 0]);
});

test("partners are known from both sides", () => {
  assert.deepEqual([...text.partner[0]], [1, 0, 2, -1]);
  assert.deepEqual([...text.partner[1]], [1, 0, 2, -1]);
});

test("a chain lights up on both sides, with what its mentions were aligned to", () => {
  const chain = chainOf(text, { side: 0, number: 0 });
  assert.equal(chain.counterpart, 0);
  assert.deepEqual([...chain.lit[0]].sort(), [0, 1, 2]);
  assert.deepEqual([...chain.lit[1]].sort(), [0, 1, 2]);
});

test("it is told where the mentions of an entity went", () => {
  assert.deepEqual(whereTo(text, 0, 0), [
    [0, 2],
    [1, 1],
  ]);
  assert.deepEqual(whereTo(text, 1, 1), [
    [0, 1],
    [NOWHERE, 1],
  ]);
  const [system] = DATA.systems;
  assert.ok(system);
  const why = system.mentions.map(() => "overlap");
  const overlapping = new Text({ ...DATA, systems: [{ ...system, why }] }, 0);
  assert.deepEqual(whereTo(overlapping, 0, 0), [[OTHER_WORDS, 3]]);
});

test("errors are in the order of the text", () => {
  assert.deepEqual(
    text.errors.map((error) => error.kind),
    [0, 2, 1],
  );
  assert.deepEqual(text.errorsOf[1].get(2), [2]);
});

test("the next error is the next in the text, round and round", () => {
  const all = wantedErrors(text.errors, []);
  assert.equal(stepFrom(all, text.errors, -1, 1, 0), 0);
  assert.equal(stepFrom(all, text.errors, -1, 1, 2), 1);
  assert.equal(stepFrom(all, text.errors, -1, -1, 2), 0);
  assert.equal(stepFrom(all, text.errors, 2, 1, 0), 0);
  assert.equal(stepFrom(all, text.errors, 0, -1, 0), 2);
  assert.equal(stepFrom([], text.errors, 0, 1, 0), -1);
});

test("filters by kind, class and entity leave what is asked for", () => {
  const shown = (change: object): string => {
    const isShown = shownMentions(text, { ...NOTHING, ...change });
    return [0, 1]
      .map((side) => [0, 1, 2, 3].filter((mention) => isShown(side as 0 | 1, mention)).join(""))
      .join("/");
  };
  assert.equal(shown({}), "0123/0123");
  assert.equal(shown({ kinds: [1] }), "2/2");
  assert.equal(shown({ className: "name" }), "03/1");
  assert.equal(shown({ entity: { side: 0, number: 1 } }), "3/");
  assert.equal(shown({ kinds: [0, 2], className: "name" }), "3/");
});

test("errors of filtered mentions are left out", () => {
  assert.deepEqual(shownErrors(text, { ...NOTHING, className: "zero" }), [2]);
  assert.deepEqual(shownErrors(text, { ...NOTHING, kinds: [0] }), [0]);
});

test("classes are named once", () => {
  assert.deepEqual(classesOf(text), ["name", "pronoun", "verb", "zero"]);
});

test("phrases show zeros, and entities go by their names", () => {
  assert.equal(text.phrase(0, 2), "∅");
  assert.equal(text.nameOf(1, 0), "Ada");
  assert.equal(text.calledOf(1, 0), "“Ada”");
  assert.equal(text.phrase(1, 3), "saw Bob");
  assert.equal(text.sentenceOf(4), 1);
});

test("an entity without a name or noun goes by its pronoun and the sentence of it", () => {
  const [key] = text.sides;
  const pronoun = new Text({ ...DATA, key: { ...key.data, names: [1, 3] } }, 0);
  assert.equal(pronoun.nameOf(0, 0), "“She” in sentence 2");
  assert.equal(pronoun.calledOf(0, 0), "“She” in sentence 2");
  assert.equal(pronoun.nameOf(0, 1), "Bob");
});

test("every kind of error has a sign, an unknown one too", () => {
  assert.equal(signOf({ name: "span", label: "", meaning: "", sign: "↔" }), "↔");
  assert.equal(signOf({ name: "new", label: "", meaning: "", sign: "" }), "!");
  assert.equal(signOf(undefined), "!");
});

test("what was packed comes out as it was", async () => {
  const packed = gzipSync(JSON.stringify(DATA)).toString("base64");
  assert.deepEqual(await unpacked(`\n${packed}\n`), DATA);
});

/** `DATA` as `packing.py` writes it; tests/tools/report/page/test_packing.py says the same. */
const PACKED: PackedText = {
  words: "Ada saw Bob . She waved _ .",
  sentences: [0, 4],
  empty: [6],
  key: {
    entities: ["a", "b"],
    mentions: [[0, 0, 0], [0, 4, 0], [0, 2, 0], [1, -4, 0]],
    classes: { names: ["name", "pronoun", "zero"], places: "0120" },
    names: null,
    looks: { label: ["1", "2"], look: [0, -1], main: [0, 1] },
  },
  systems: [
    {
      entities: ["x", "y"],
      mentions: [[0], [0], [1], [1, -5, 1]],
      classes: { names: ["pronoun", "name", "zero", "verb"], places: "0123" },
      names: [1, 0],
      looks: { label: ["1", "a"], look: [0, 1], main: [0, -1] },
      partner: [1, -1, 2, -3],
      why: { names: ["exact", "head"], places: "0100" },
      entity_partner: [0, 0],
      gains: [12, null],
      errors: {
        kind: [1, 0, 2],
        key_entity: [0, -1, 1],
        response_entity: [1, 1, -1],
        key_mentions: { length: [1, 0, 1], steps: [2, 1] },
        response_mentions: { length: [1, 1, 0], steps: [2, 1] },
      },
    },
  ],
};

test("a packed text is restored", () => {
  const [system] = DATA.systems;
  assert.deepEqual(restored(PACKED), { ...DATA, systems: [{ ...system, names: [1, 2], gains: [12, null] }] });
});

test("words with spaces, and many names of classes, are lists", () => {
  const key = { ...PACKED.key, classes: ["a", "b"] };
  const text = restored({ ...PACKED, key, words: ["New York", ""] });
  assert.deepEqual(text.words, ["New York", ""]);
  assert.deepEqual(text.key.classes, ["a", "b"]);
});
