/** Light and dark: as the system has it, until somebody says otherwise. */

const NAME = "scoref-theme";

/** Take up what was chosen last time. */
export function restoreTheme(): void {
  try {
    const kept = localStorage.getItem(NAME);
    if (kept === "light" || kept === "dark") document.documentElement.dataset["theme"] = kept;
  } catch {
    // Some browsers keep nothing for files.
  }
}

/** Turn light into dark, and back. */
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
