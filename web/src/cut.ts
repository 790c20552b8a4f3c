/** Tables that are wider than the screen: whether columns are hidden behind the last one. */

/** Mark the parts of the page that can be scrolled further to the right. */
export function markCut(parts: Iterable<HTMLElement>): void {
  for (const part of parts) {
    const mark = (): void => {
      const isCut = part.scrollLeft + part.clientWidth < part.scrollWidth - 1;
      part.classList.toggle("is-cut", isCut);
    };
    part.addEventListener("scroll", mark, { passive: true });
    new ResizeObserver(mark).observe(part);
  }
}
