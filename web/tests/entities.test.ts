import assert from "node:assert/strict";
import { test } from "node:test";

import { entityRows } from "../src/entities";
import { Text } from "../src/text";
import type { TextData } from "../src/types";

const LOOKS = { label: ["0", "1"], look: [0, 1], main: [0, 1] };

test("an entity is compared with the response entity that shares most mentions with it", () => {
  const data: TextData = {
    words: ["Ann", "she", "her", "Bob", "he"],
    sentences: [0],
    empty: [],
    key: { entities: ["0", "1"], mentions: [[0, 0, 0], [0, 1, 1], [0, 2, 2], [1, 3, 3]], classes: null, looks: LOOKS },
    systems: [
      {
        entities: ["0", "1"],
        mentions: [[0, 0, 0], [0, 1, 1], [1, 2, 2], [0, 3, 3]],
        classes: null,
        looks: LOOKS,
        partner: [0, 1, 2, 3],
        why: null,
        entity_partner: [0, -1],
        errors: [],
        gains: [12300, null],
      },
    ],
  };
  const [first, second] = entityRows(new Text(data, 0));
  assert.deepEqual(first, {
    entity: 0, name: "Ann", size: 3, responseSize: 3, recall: 2 / 3, precision: 2 / 3, f1: 2 / 3, parts: 2, missed: 0, merged: 1, errors: 0, gain: 0.0123,
  });
  assert.equal(second?.f1, 0.5);
  assert.equal(second?.gain, null);
});
