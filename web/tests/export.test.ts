import assert from "node:assert/strict";
import { test } from "node:test";

import { type Cell, csv, latex, markdown, plain } from "../src/export";

test("CSV quotes what needs it, and keeps formulas as text", () => {
  assert.equal(csv([["a", 'say "no", please'], ["=1+1", "+0.5"]]), 'a,"say ""no"", please"\r\n\'=1+1,+0.5\r\n');
});

test("a table is written in Markdown", () => {
  assert.equal(markdown([["", "F₁"].map(plain), ["a|b", "1.00"].map(plain)]), "|  | F₁ |\n|---|--:|\n| a\\|b | 1.00 |\n");
});

test("a table is written in LaTeX", () => {
  assert.equal(
    latex([["", "F₁"].map(plain), ["B³ & a_b", "−1"].map(plain)]),
    "\\begin{tabular}{lr}\n\\toprule\n & F$_1$ \\\\\n\\midrule\nB$^3$ \\& a\\_b & $-$1 \\\\\n\\bottomrule\n\\end{tabular}\n",
  );
});

test("letters of significance are superscripts, and the best figure is bold", () => {
  const best: Cell = { text: "88.25", isBest: true, mark: "b", below: " [85.10–90.20]" };
  const rows = [["", "MUC"].map(plain), [{ ...plain("ours"), mark: "a" }, best]];
  assert.match(markdown(rows), /\| ours<sup>a<\/sup> \| \*\*88\.25\*\*<sup>b<\/sup> \\\[85\.10–90\.20\\\] \|/);
  assert.match(latex(rows), /ours\\textsuperscript\{a\} & \\textbf\{88\.25\}\\textsuperscript\{b\} \[85\.10–90\.20\] /);
});
