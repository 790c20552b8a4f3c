// Small helpers for pages: elements, and the example in the address.

type Child = Node | string;

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

let fields = 0;

/** A labelled field for a line of text. */
export function field(label: string, value: string): [HTMLElement, HTMLInputElement] {
  const id = `explainer-field-${++fields}`;
  const input = h("input", { id, type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
  input.value = value;
  return [h("div", { class: "explainer-field" }, h("label", { for: id }, label), input), input];
}

export function button(label: string, press: () => void): HTMLButtonElement {
  const element = h("button", { type: "button" }, label);
  element.addEventListener("click", press);
  return element;
}

/** A table of figures; the first column names the rows. */
export function table(caption: string, header: string[], rows: string[][], strong: string): HTMLTableElement {
  const body = rows.map((row) => {
    const [name, ...cells] = row;
    const line = h("tr", {}, h("th", { scope: "row" }, name!), ...cells.map((cell) => h("td", {}, cell)));
    if (name === strong) line.className = "strong";
    return line;
  });
  const head = h("tr", {}, ...header.map((name) => h("th", { scope: "col" }, name)));
  return h("table", {}, h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, ...body));
}

/** The example in the address, null if there is none, or "damaged". */
export function readAddress(isSound: (key: string, response: string) => boolean): [string, string] | null | "damaged" {
  const hash = location.hash.slice(1);
  if (!hash.includes("=")) return null;
  const parameters = new URLSearchParams(hash);
  const [key, response] = [parameters.get("key"), parameters.get("response")];
  if (key === null || response === null || hash.includes("%EF%BF%BD")) return "damaged";
  return isSound(key, response) ? [key, response] : "damaged";
}

export function writeAddress(key: string, response: string): void {
  history.replaceState(history.state, "", `#${new URLSearchParams({ key, response })}`);
}
