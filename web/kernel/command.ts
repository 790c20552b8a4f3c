// Runs the kernel for the tests: `node command.mjs TASK`.
//
// `files` reads [[key, response], …] from standard input and writes a JSON object for each pair of files, with
// counts and scores or the reason why the files are refused. `entities` reads entities and writes
// scores; `variants` does so with variants of B³. `examples` reads lists of documents, and writes what each tool computes; `six-tools` does so for the
// example that the page shows first. `recommendations` writes every recommendation of the page that helps to choose.

import { readFileSync } from "node:fs";
import { Refusal, countCorpora, readCorpus, readLine } from "./corpus";
import { LETTERS as DEFAULT } from "./examples";
import { count, score, scoreOf } from "./metrics";
import { everyAnswer, recommend } from "./recommendations";
import { type Example, compareTools } from "./tools";
import { VARIANTS, countVariant } from "./variants";

function scoreFiles([key, response]: [string, string]): unknown {
  try {
    const [gold, predicted] = [
      readCorpus(readFileSync(key, "utf-8"), key, "key"),
      readCorpus(readFileSync(response, "utf-8"), response, "response"),
    ];
    const counts = countCorpora(gold, predicted);
    return { counts, scores: score(counts) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refusal: error.message };
  }
}

const input = <Value>(): Value[] => JSON.parse(readFileSync(0, "utf-8")) as Value[];
const COMMANDS: Record<string, () => unknown[]> = {
  files: () => input<[string, string]>().map(scoreFiles),
  variants: () =>
    input<Example>().map(({ key, response }) => VARIANTS.map((variant) => scoreOf(countVariant(variant, key, response)))),
  entities: () => input<Example>().map(({ key, response }) => ({ scores: score(count(key, response)) })),
  "six-tools": () => [compareTools(DEFAULT.map(([key, response]) => ({ key: readLine(key), response: readLine(response) })))],
  recommendations: () => everyAnswer().map((answers) => ({ answers, ...recommend(answers)! })),
  examples: () => input<Example[]>().map(compareTools),
};
for (const result of COMMANDS[process.argv[2]!]!()) console.log(JSON.stringify(result));
