/** Keyboard shortcuts, and the dialog that lists them. */

import { button, h } from "./dom";

export interface Key {
  keys: string[];
  meaning: string;
  run: () => void;
}

/** Run the action of a key, unless the reader is typing in a field. Keys without an action can be kept for later. */
export function listen(keysNow: () => readonly Key[], keep?: (key: string) => void): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event)) return;
    const isPressing = event.key === "Enter" && event.target instanceof Element && event.target.closest("button, a, summary");
    if (isPressing) return;
    const found = keysNow().find((key) => key.keys.includes(event.key));
    if (!found) return keep?.(event.key);
    event.preventDefault();
    found.run();
  });
}

/** Show help on the present view, and all shortcuts. */
export function showKeys(keys: readonly Key[], advice: readonly string[] = []): void {
  const items = keys.flatMap((key) => [
    h("dt", {}, ...key.keys.map((each) => h("kbd", {}, named(each)))),
    h("dd", {}, key.meaning),
  ]);
  const list = h("dl", {}, ...items);
  if (!advice.length) return void showDialog("Keyboard shortcuts", list);
  const lines = h("ul", { class: "advice" }, ...advice.map((line) => h("li", {}, line)));
  showDialog("Help", lines, h("h3", {}, "Keyboard shortcuts"), list);
}

/** Show a dialog. */
export function showDialog(title: string, ...content: HTMLElement[]): HTMLDialogElement {
  const dialog = h("dialog", { class: "keys", "aria-label": title }, h("h2", {}, title), ...content);
  dialog.append(button("Close", () => dialog.close()));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  // The button that has the focus now stands at the end.
  dialog.scrollTop = 0;
  return dialog;
}

function isWriting(event: KeyboardEvent): boolean {
  const target = event.target as Element | null;
  if (!target?.closest) return false;
  if (event.key === "Escape") return Boolean(target.closest("dialog"));
  return Boolean(target.closest("input, select, textarea, dialog"));
}

function named(key: string): string {
  const names: Record<string, string> = {
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
    Escape: "Esc",
  };
  return names[key] ?? key;
}
