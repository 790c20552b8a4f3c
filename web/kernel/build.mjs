// Builds what the documentation's site shows: the script of the interactive pages, and the drawings that
// replace them in plain Markdown. `--command FILE` builds the command that the tests score files with.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { build } from "esbuild";

const isMeasured = Boolean(process.env.COVERAGE);
const sourcemap = isMeasured && "inline";
const shared = { bundle: true, charset: "ascii", legalComments: "none", logLevel: "warning", sourcemap };
const node = { ...shared, format: "esm", platform: "node", target: "node20" };

const command = process.argv.indexOf("--command");
if (command > 0) {
  await build({ ...node, entryPoints: ["kernel/command.ts"], outfile: process.argv[command + 1] });
} else {
  await build({
    ...shared,
    entryPoints: [{ in: "kernel/pages.ts", out: "explainer" }],
    outdir: "../website/pages",
    format: "iife",
    minify: !isMeasured,
    target: ["chrome109", "firefox113", "safari16.4"],
  });
  const [script, folder] = ["build/pictures.mjs", "../docs/images/metrics"];
  await build({ ...node, entryPoints: ["kernel/pictures.ts"], outfile: script });
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [script, folder]);
}
