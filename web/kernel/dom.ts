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
export function table(caption: string, header: string[], rows: Child[][], strong: string): HTMLTableElement {
  const body = rows.map((row) => {
    const [name, ...cells] = row;
    const line = h("tr", {}, h("th", { scope: "row" }, name!), ...cells.map((cell) => h("td", {}, cell)));
    if (typeof name === "string" ? name === strong : name!.textContent!.startsWith(strong)) line.className = "strong";
    return line;
  });
  const head = h("tr", {}, ...header.map((name) => h("th", { scope: "col" }, name)));
  return h("table", {}, h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, ...body));
}

/** A key and a response, as lines that readers edit. */
export type Lines = [key: string, response: string];

/** The documents in the address, null if there are none, or "damaged". */
export function readAddress(isSound: (documents: Lines[]) => boolean): Lines[] | null | "damaged" {
  const hash = location.hash.slice(1);
  if (!hash.includes("=")) return null;
  const parameters = new URLSearchParams(hash);
  const [keys, responses] = [parameters.getAll("key"), parameters.getAll("response")];
  if (keys.length === 0 || keys.length !== responses.length || hash.includes("%EF%BF%BD")) return "damaged";
  const documents = keys.map((key, index): Lines => [key, responses[index]!]);
  return isSound(documents) ? documents : "damaged";
}

export function writeAddress(documents: readonly Lines[]): void {
  const pairs = documents.flatMap(([key, response]) => [["key", key], ["response", response]]);
  history.replaceState(history.state, "", `#${new URLSearchParams(pairs)}`);
}
