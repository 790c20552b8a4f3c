// Turns the plain pages of the site into interactive ones.

import { Choose } from "./choose";
import { SUBJECTS } from "./examples";
import { Explainer } from "./explainer";
import { ScoreHere } from "./score_here";
import { SixTools } from "./six_tools";

// A drawing replaces its picture.
for (const picture of document.querySelectorAll<HTMLImageElement>('img[src*="images/metrics/"]')) {
  const name = /([\w-]+)\.svg$/.exec(picture.src)?.[1] ?? "";
  const subjects = SUBJECTS[name];
  if (!subjects || picture.closest("a")) continue;
  const explainer = new Explainer(subjects);
  (picture.closest("p") ?? picture).replaceWith(explainer.element);
  explainer.open();
}

// Other parts have a place on their page.
const PARTS: Record<string, () => { element: HTMLElement; open(): void }> = {
  questions: () => new Choose(),
  "score-here": () => new ScoreHere(),
  "six-tools": () => new SixTools(),
};
for (const place of document.querySelectorAll<HTMLElement>("[data-part]")) {
  const part = PARTS[place.dataset["part"]!]?.();
  if (!part) continue;
  // What follows, up to the end, is for readers without scripts.
  while (place.nextElementSibling && !place.nextElementSibling.matches("[data-end]")) place.nextElementSibling.remove();
  place.replaceWith(part.element);
  part.open();
}

// What the theme leaves out: wide tables must be reachable by keyboard, and landmarks need names.
window.addEventListener("load", () => {
  for (const region of document.querySelectorAll<HTMLElement>(".md-typeset__scrollwrap, pre > code")) {
    if (region.scrollWidth > region.clientWidth) region.tabIndex = 0;
  }
  document.querySelectorAll(".md-code__nav").forEach((bar, index) => {
    bar.setAttribute("aria-label", `Code block ${index + 1}`);
  });
});
