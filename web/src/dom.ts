/** Elements of the page. Text is never parsed as markup. */

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined>;

/** Make an element. True makes an attribute without a value; false and null make none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(name), attributes, children);
}

/** Make an element of a drawing. */
export function s<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** Make a button that does something. */
export function button(label: string, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = h("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", action);
  return made;
}

/** Make a list to choose from. */
export function choice(
  label: string,
  options: readonly string[],
  chosen: number,
  action: (place: number) => void,
): HTMLSelectElement {
  const made = h("select", { "aria-label": label }, ...options.map((name) => h("option", {}, name)));
  made.selectedIndex = chosen;
  made.addEventListener("change", () => action(made.selectedIndex));
  return made;
}

const WORK = new WeakMap<HTMLElement, Promise<unknown>>();

/** Mark a part of the page as incomplete until some work is done, and no later work has begun. */
export async function whileBusy<T>(part: HTMLElement, work: Promise<T>): Promise<T> {
  WORK.set(part, work);
  part.setAttribute("aria-busy", "true");
  try {
    return await work;
  } finally {
    if (WORK.get(part) === work) part.removeAttribute("aria-busy");
  }
}

/** Return an element of the page by its id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
  element.append(
    ...children.filter(
      (child): child is Node | string => child !== null && child !== undefined && child !== false,
    ),
  );
  return element;
}
