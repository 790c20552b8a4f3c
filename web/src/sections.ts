/** The bar at the top: links to the parts of the page, and a line below the part that is on the screen. */

/** Let links scroll without changing the address, which describes the selection. */
export function linkSections(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("#bar a, .skip")];
  for (const link of links)
    link.addEventListener("click", (event) => {
      const part = partOf(link);
      if (!part) return;
      event.preventDefault();
      if (part.id === "overview") scrollTo(0, 0);
      else part.scrollIntoView({ block: "start" });
      part.focus({ preventScroll: true });
    });
  const bar = links.filter((link) => link.closest("#bar"));
  const mark = (): void => {
    const line = innerHeight / 3;
    const passed = bar.filter((link) => {
      const part = partOf(link);
      return part && part.offsetHeight > 0 && part.getBoundingClientRect().top <= line;
    });
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const present = (isAtEnd ? bar : passed)[(isAtEnd ? bar : passed).length - 1] ?? bar[0];
    for (const link of bar) {
      if (link === present) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", mark, { passive: true });
  addEventListener("resize", mark);
  mark();
}

function partOf(link: HTMLAnchorElement): HTMLElement | null {
  return document.getElementById(link.hash.slice(1));
}
