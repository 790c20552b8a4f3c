// Writes the drawings of the default examples for plain Markdown: node build/pictures.mjs FOLDER.

import { writeFileSync } from "node:fs";
import { type Picture, draw, drawSpans } from "./drawing";
import { SUBJECTS, type Subject, examplesOf } from "./examples";
import { readLine } from "./corpus";
import { escape, text } from "./layout";
import { spellOut, spellRatios } from "./sums";
import { STYLE } from "./style";
import { mor, readSpans } from "./words";

const WIDTH = 640;

function picture(subject: Subject): string {
  const example = examplesOf(subject)[0]!;
  const [drawing, lines] = subject === "mor" ? ofSpans(example.key, example.response) : ofEntities(subject, example.key, example.response);
  const height = drawing.height + 10 + 22 * lines.length + 8;
  const sums = lines.map((sum, index) => text(1, drawing.height + 28 + index * 22, sum, "", "start"));
  const size = `width="${WIDTH}" height="${Math.ceil(height)}" viewBox="-8 -6 ${WIDTH + 16} ${Math.ceil(height) + 12}"`;
  const label = escape(`${subject}: ${lines.join("; ")}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${label}"><style>${STYLE}</style>${drawing.body}${sums.join("")}</svg>\n`;
}

function ofEntities(subject: Exclude<Subject, "mor">, key: string, response: string): [Picture, string[]] {
  const sides = [readLine(key), readLine(response)] as const;
  return [draw(subject, ...sides, WIDTH), spellOut(subject, ...sides)];
}

function ofSpans(key: string, response: string): [Picture, string[]] {
  const sides = [readSpans(key)!, readSpans(response)!] as const;
  return [drawSpans(...sides, WIDTH), spellRatios(mor(...sides))];
}

const folder = process.argv[2]!;
for (const [page, subjects] of Object.entries(SUBJECTS)) {
  writeFileSync(`${folder}/${page}.svg`, picture(subjects[0]!));
}
