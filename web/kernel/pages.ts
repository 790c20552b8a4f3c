// Turns the plain pages of the site into interactive ones: a drawing replaces its picture.

import { SUBJECTS } from "./examples";
import { Explainer } from "./explainer";

for (const picture of document.querySelectorAll<HTMLImageElement>('img[src*="images/metrics/"]')) {
  const name = /([\w-]+)\.svg$/.exec(picture.src)?.[1] ?? "";
  const subjects = SUBJECTS[name];
  if (!subjects || picture.closest("a")) continue;
  const explainer = new Explainer(subjects);
  (picture.closest("p") ?? picture).replaceWith(explainer.element);
  explainer.open();
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
