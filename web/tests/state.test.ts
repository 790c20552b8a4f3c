import assert from "node:assert/strict";
import { test } from "node:test";
import { nameDocuments, NOTHING, problemOf, read, readDocument, type State, written } from "../src/state";

test("a state survives being written and read", () => {
  const state: State = {
    document: 11,
    system: 1,
    view: "over",
    kinds: [0, 3],
    className: "proper noun & more",
    entity: null,
    mention: null,
    error: null,
    spots: { entity: "r4-4", mention: "k12-13_15-15.2", error: "span.k12-13" },
    query: "a=b#c",
    beside: 2,
    verdict: "right",
    columns: [0, 2],
    listed: true,
    wanted: {
      kind: [2, 5],
      class: [0],
      distance: [5],
      size: [1],
      document: [11],
      genre: [3],
      query: "a=b&c",
      words: "the company",
      entity: "",
      who: "both",
      group: "words",
      sort: "muc",
      mark: "seen",
    },
  };
  assert.deepEqual(read(`#${written(state)}`), state);
});

test("nothing chosen is an empty address", () => {
  assert.equal(written(NOTHING), "");
  assert.deepEqual(read(""), NOTHING);
});

test("an address that makes no sense is as if it were empty", () => {
  assert.deepEqual(read("#document=-3&system=x&view=up&errors=a.b&kind=0.x&wrong=1&group=2&beside=b&verdict=x&columns=0"), NOTHING);
});

test("documents are found by their names, by the names that are shown, and by their numbers", () => {
  nameDocuments(["(news/7); part 000", "(news/8); part 000"]);
  assert.equal(readDocument("(news/8); part 000"), 1);
  assert.equal(readDocument("news/8"), 1);
  assert.equal(readDocument("1"), 0);
  assert.equal(readDocument("8"), 7);
  nameDocuments([]);
});

test("an address names what the report does not have", () => {
  nameDocuments(["news/7", "news/8"]);
  const problem = (hash: string): string => problemOf(hash, 2, 1);
  assert.equal(problem("#in=news%2F8&document=2&kind=3"), "");
  assert.equal(
    problem("#in=news%2F9&document=chat&system=2"),
    "The address names document “chat” and document “news/9” and system “2”, which this report does not have.",
  );
  assert.equal(problem("#beside=4"), "The address names system “4”, which this report does not have.");
  nameDocuments([]);
});
