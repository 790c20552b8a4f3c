// The page that shows which figures six tools print for the same example.

import { percent } from "../src/numbers";
import { problemOfEntities, readLine } from "./corpus";
import { type Lines, button, field, h, readAddress, table, writeAddress } from "./dom";
import { TOOL_EXAMPLES as PRESETS } from "./examples";
import { LABELS } from "./metrics";
import { PARTS, type Row, compareTools } from "./tools";

const MOST_DOCUMENTS = 8;
const HINT =
  "Edit the lines: blanks between mentions, a bar between entities. An entity’s place in its line is its label, " +
  "which matters to a tool that merges documents.";

export class SixTools {
  readonly element: HTMLElement;
  #fields = h("div", {});
  #inputs: [HTMLInputElement, HTMLInputElement][] = [];
  #message = h("p", { class: "explainer-message", role: "status" });
  #result = h("div", { class: "explainer-figures", "aria-live": "polite" });

  constructor() {
    const presets = PRESETS.map(([name, documents]) => button(name, () => this.#show(documents, true)));
    this.element = h(
      "section",
      { class: "explainer", "aria-label": "Six tools, six numbers" },
      h("p", { class: "explainer-hint" }, HINT),
      this.#fields,
      h("div", { class: "explainer-presets", role: "group", "aria-label": "Examples" }, ...presets),
      h(
        "div",
        { class: "explainer-presets", role: "group", "aria-label": "Documents" },
        button("Add a document", () => this.#show([...this.#documents(), ["", ""]], true)),
        button("Remove the last document", () => this.#show(this.#documents().slice(0, -1), true)),
      ),
      this.#message,
      this.#result,
    );
    window.addEventListener("hashchange", () => this.open());
  }

  /** Shows the example of the address, or the default one. */
  open(): void {
    const example = readAddress((documents) => problemOf(documents) === "");
    if (example === null) return this.#show(PRESETS[0]![1], false);
    this.#show(example === "damaged" ? PRESETS[0]![1] : example, false);
    if (example === "damaged") {
      this.#message.textContent = "The address of this page is damaged, so this is the default example.";
    }
  }

  #show(documents: readonly Lines[], isNew: boolean): void {
    if (documents.length === 0 || documents.length > MOST_DOCUMENTS) return;
    this.#inputs = [];
    const parts = documents.map(([key, response], index) => {
      const number = documents.length > 1 ? ` ${index + 1}` : "";
      const [keyField, keyInput] = field(`Key${number}`, key);
      const [responseField, responseInput] = field(`Response${number}`, response);
      for (const input of [keyInput, responseInput]) input.addEventListener("input", () => this.#change(true));
      this.#inputs.push([keyInput, responseInput]);
      return h("div", { class: "explainer-document" }, keyField, responseField);
    });
    this.#fields.replaceChildren(...parts);
    this.#change(isNew);
  }

  #documents(): Lines[] {
    return this.#inputs.map(([key, response]): Lines => [key.value, response.value]);
  }

  #change(isNew: boolean): void {
    const documents = this.#documents();
    const problem = problemOf(documents);
    this.#message.textContent = problem;
    this.element.classList.toggle("is-stale", problem !== "");
    if (problem) return;
    if (isNew) writeAddress(documents);
    const rows = compareTools(documents.map(([key, response]) => ({ key: readLine(key), response: readLine(response) })));
    const header = ["F₁ in percent", ...PARTS.map((part) => LABELS[part]), LABELS.conll, "Difference"];
    const figures = table(caption(rows), header, rows.map((row) => cellsOf(row, rows[0]!)), rows[0]!.label);
    this.#result.replaceChildren(h("div", { class: "explainer-wide", tabindex: "0", role: "region", "aria-label": "Figures" }, figures));
  }
}

function problemOf(documents: readonly Lines[]): string {
  if (documents.length > MOST_DOCUMENTS) return `There is room for ${MOST_DOCUMENTS} documents.`;
  const problems = documents.map(([key, response], index) => {
    const problem = problemOfEntities(readLine(key), readLine(response));
    return problem && documents.length > 1 ? `Document ${index + 1}: ${problem}` : problem;
  });
  return problems.find((problem) => problem !== "") ?? "";
}

function caption(rows: readonly Row[]): string {
  const different = new Set(rows.map((row) => figure(row.conll))).size;
  return different === 1 ? "All tools print the same CoNLL score." : `${different} different CoNLL scores for the same example.`;
}

function cellsOf(row: Row, reference: Row): (Node | string)[] {
  const parts = PARTS.map((part) => figure(row.figures[part].f1));
  const cause = row === reference ? "the reference" : row.cause || "equal";
  const name = h("div", {}, row.label, h("div", { class: "cause" }, cause));
  return [name, ...parts, figure(row.conll), row === reference ? "" : difference(row.conll, reference.conll)];
}

function difference(value: number, reference: number): string {
  if (Number.isNaN(value)) return "–";
  const points = (Number(percent(value)) - Number(percent(reference))).toFixed(2); // of the figures shown
  return Number(points) === 0 ? "0.00" : points.startsWith("-") ? points.replace("-", "−") : `+${points}`;
}

function figure(value: number): string {
  return Number.isNaN(value) ? "–" : percent(value);
}
