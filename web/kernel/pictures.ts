// Writes the drawings of the default examples for plain Markdown: node build/pictures.mjs FOLDER.

import { writeFileSync } from "node:fs";
import { SUBJECTS, examplesOf } from "./examples";
import { escape, text } from "./layout";
import { STYLE } from "./style";
import { type Subject, view } from "./subjects";

const WIDTH = 640;

function picture(subject: Subject): string {
  const { key, response } = examplesOf(subject)[0]!;
  const { picture: drawing, sums: lines } = view(subject, key, response, WIDTH);
  const height = drawing.height + 10 + 22 * lines.length + 8;
  const sums = lines.map((sum, index) => text(1, drawing.height + 28 + index * 22, sum, "", "start"));
  const size = `width="${WIDTH}" height="${Math.ceil(height)}" viewBox="-8 -6 ${WIDTH + 16} ${Math.ceil(height) + 12}"`;
  const label = escape(`${subject}: ${lines.join("; ")}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${label}"><style>${STYLE}</style>${drawing.body}${sums.join("")}</svg>\n`;
}

const folder = process.argv[2]!;
for (const [page, subjects] of Object.entries(SUBJECTS)) {
  writeFileSync(`${folder}/${page}.svg`, picture(subjects[0]!));
}
