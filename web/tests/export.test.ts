import assert from "node:assert/strict";
import { test } from "node:test";

import { csv, latex, markdown } from "../src/export";

test("CSV quotes what needs it, and keeps formulas as text", () => {
  assert.equal(csv([["a", 'say "no", please'], ["=1+1", "+0.5"]]), 'a,"say ""no"", please"\r\n\'=1+1,+0.5\r\n');
});

test("a table is written in Markdown", () => {
  assert.equal(markdown([["", "F₁"], ["a|b", "1.00"]]), "|  | F₁ |\n|---|--:|\n| a\\|b | 1.00 |\n");
});

test("a table is written in LaTeX", () => {
  assert.equal(
    latex([["", "F₁"], ["B³ & a_b", "−1"]]),
    "\\begin{tabular}{lr}\n\\toprule\n & F$_1$ \\\\\n\\midrule\nB$^3$ \\& a\\_b & $-$1 \\\\\n\\bottomrule\n\\end{tabular}\n",
  );
});
