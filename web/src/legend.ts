/** What colours, lines, labels and signs mean. */

import { h } from "./dom";
import { signOf } from "./errors";
import { showDialog } from "./keyboard";
import { say } from "./terms";
import type { Report } from "./types";

const LINES = ["s0", "s1", "s2", "s3"];

/** Show the whole legend. */
export function showLegend(report: Report): void {
  const [key, response] = report.annotator
    ? [report.annotator, "the other annotator"]
    : ["the key", "the response"];
  const looks: [HTMLElement, string][] = [
    [
      h("span", {}, ...[0, 1, 2].map((hue) => swatch(`h${hue} s0`, String(hue + 1)))),
      `each entity has a colour and the label from ${key}, the same on both sides`,
    ],
    [
      h("span", {}, ...LINES.map((line) => swatch(`h0 ${line}`, "\u00a0"))),
      "the same colour with a different line: a different entity",
    ],
    [swatch("h3 s0", "a"), `a letter: an entity of ${response} that matches no entity of ${key}`],
    [swatch("h-one", "\u00a0"), "grey: a singleton on both sides"],
    [
      h("span", { class: "between h2" }, "\u00a0\u00a0\u00a0\u00a0"),
      "a thin dotted line: words between the parts of a mention",
    ],
    [h("span", { class: "ground h0" }, "words"), "a coloured background: the selected entity"],
    [h("mark", { class: "hit" }, "words"), "a search result"],
    [h("span", { class: "zero" }, "∅"), "a zero: an empty node without a word"],
  ];
  const signs = report.kinds.map((kind): [HTMLElement, string] => [
    h("b", { class: "sign", "aria-hidden": "true" }, signOf(kind)),
    `${kind.label}: ${kind.meaning}`,
  ]);
  const parts = [h("h3", {}, "Lines above and below words"), list(looks)];
  if (signs.length) parts.push(h("h3", {}, say().signs), list(signs));
  showDialog("Legend", ...parts);
}

function swatch(look: string, label: string): HTMLElement {
  return h("span", { class: `swatch ${look}` }, label);
}

function list(items: readonly [HTMLElement, string][]): HTMLElement {
  return h("dl", { class: "legend-list" }, ...items.flatMap(([sign, meaning]) => [h("dt", {}, sign), h("dd", {}, meaning)]));
}
