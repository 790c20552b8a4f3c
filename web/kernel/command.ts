// Scores pairs of files for the tests: reads [[key, response], …] from standard input and writes a JSON
// object for each pair, with counts and scores or the reason why the files are refused.

import { readFileSync } from "node:fs";
import { Refusal, countCorpora, readCorpus } from "./corpus";
import { score } from "./metrics";

const files = JSON.parse(readFileSync(0, "utf-8")) as [string, string][];
for (const [key, response] of files) {
  try {
    const [gold, predicted] = [
      readCorpus(readFileSync(key, "utf-8"), key, "key"),
      readCorpus(readFileSync(response, "utf-8"), response, "response"),
    ];
    const counts = countCorpora(gold, predicted);
    console.log(JSON.stringify({ counts, scores: score(counts) }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.log(JSON.stringify({ refusal: error.message }));
  }
}
