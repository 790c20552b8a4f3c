import assert from "node:assert/strict";
import { test } from "node:test";
import { identity, MARKED, read } from "../src/marks";

const documents = [{ name: "d", tokens: 3, mentions: 2, entities: 1, has_text: true }];
const id = identity({ documents });
const mark = { document: "d", kind: "span", words: "a", entity: "", put_with: "b", number: 1 };
const file = { schema: "scoref/marks/1", report: id, title: "key.conll", marks: [{ ...mark, status: "seen", remark: "x" }] };

test("marks are read as they were written", () => {
  assert.deepEqual([...read(file, id)], [[JSON.stringify(["d", "span", "a", "", "b", 1]), { status: "seen", remark: "x" }]]);
});

test("marks of another report are refused", () => {
  const other = identity({ documents: [{ ...documents[0]!, mentions: 3 }] });
  assert.notEqual(id, other);
  assert.throws(() => read(file, other), /belong to another report \(“key.conll”\)/);
  assert.throws(() => read({ marks: [] }, id), TypeError);
});

test("errors can be chosen by their marks", () => {
  const seen = { status: "seen", remark: "" } as const;
  assert.deepEqual(
    Object.entries(MARKED).filter(([, test]) => test(seen)).map(([name]) => name),
    ["any", "seen"],
  );
  assert.equal(MARKED["none"]?.(undefined), true);
});
