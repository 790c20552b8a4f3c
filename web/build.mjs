// Makes what pages of `scoref report` and `scoref agree` contain. `--tests` makes the tests instead.
// With COVERAGE=1, scripts can be traced back to their sources (see tests/web_coverage.py).
import { build } from "esbuild";
import { readdirSync } from "node:fs";

const page = "../src/scoref/tools/report/page";
const target = ["chrome100", "firefox113", "safari16.4"];
const isMeasured = Boolean(process.env.COVERAGE);
const sourcemap = isMeasured && "inline";
const shared = { bundle: true, charset: "ascii", legalComments: "none", logLevel: "warning", sourcemap, target };

if (process.argv.includes("--tests")) {
  await build({
    ...shared,
    entryPoints: readdirSync("tests").map((name) => `tests/${name}`),
    outdir: "build",
    outExtension: { ".js": ".mjs" },
    format: "esm",
    platform: "node",
    target: "node20",
  });
} else {
  await build({
    ...shared,
    entryPoints: [
      { in: "src/main.ts", out: "report" },
      { in: "src/index.ts", out: "index" },
      { in: "src/adjudication/main.ts", out: "adjudication" },
    ],
    outdir: page,
    format: "iife",
    minify: !isMeasured,
  });
  await build({
    ...shared,
    sourcemap: false,
    entryPoints: ["styles/report.css", "styles/adjudication.css", "styles/mentions.css"],
    outdir: page,
    minify: true,
  });
}
