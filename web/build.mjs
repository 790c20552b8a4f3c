// Makes what pages of `scoref report` and `scoref agree` contain. `--tests` makes the tests instead.
import { build } from "esbuild";
import { readdirSync } from "node:fs";

const page = "../src/scoref/tools/report/page";
const target = ["chrome100", "firefox113", "safari16.4"];
const shared = { bundle: true, charset: "ascii", legalComments: "none", logLevel: "warning", target };

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
    minify: true,
  });
  await build({
    ...shared,
    entryPoints: ["styles/report.css", "styles/adjudication.css", "styles/mentions.css"],
    outdir: page,
    minify: true,
  });
}
