/** Light and dark mode: that of the operating system, until the reader chooses one. */

const NAME = "scoref-theme";

/** Restore the mode that was chosen last time. */
export function restoreTheme(): void {
  try {
    const kept = localStorage.getItem(NAME);
    if (kept === "light" || kept === "dark") document.documentElement.dataset["theme"] = kept;
  } catch {
    // Some browsers keep nothing for files.
  }
}

/** Switch between light and dark mode. */
export function toggleTheme(): void {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const next = (root.dataset["theme"] ?? system) === "dark" ? "light" : "dark";
  root.dataset["theme"] = next;
  try {
    localStorage.setItem(NAME, next);
  } catch {
    // It lasts as long as the page is open.
  }
}
