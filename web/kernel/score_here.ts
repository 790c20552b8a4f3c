// The page that scores two files without sending them anywhere.

import { percent } from "../src/numbers";
import { TooManyConnected } from "./alignment";
import { type Corpus, Refusal, type Role, countCorpora, readCorpus } from "./corpus";
import { button, h, table } from "./dom";
import { LABELS, type Metric, type Score, type Scores, score } from "./metrics";
import { sum } from "./table";

const ROWS: readonly Metric[] = ["mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea"];
const MOST_BYTES = 100_000_000;
const ROLES: readonly Role[] = ["key", "response"];

export class ScoreHere {
  readonly element: HTMLElement;
  #files: Partial<Record<Role, File>> = {};
  #inputs: Record<Role, HTMLInputElement>;
  #result = h("div", { class: "explainer-figures", "aria-live": "polite" });
  #run = 0;

  constructor() {
    const part = <Part>(make: (role: Role) => Part): Record<Role, Part> => ({ key: make("key"), response: make("response") });
    this.#inputs = part((role) => h("input", { type: "file", id: `score-here-${role}` }));
    const zones = ROLES.map((role) => {
      const input = this.#inputs[role];
      const label = h("label", { for: input.id }, role === "key" ? "Key" : "Response");
      const zone = h("div", { class: "explainer-drop" }, h("div", {}, label), input);
      input.addEventListener("change", () => input.files?.[0] && this.#take({ [role]: input.files[0] }));
      zone.addEventListener("dragover", (event) => {
        event.preventDefault();
        zone.classList.add("is-over");
      });
      zone.addEventListener("dragleave", () => zone.classList.remove("is-over"));
      zone.addEventListener("drop", (event) => {
        event.preventDefault();
        zone.classList.remove("is-over");
        this.#drop(role, event.dataTransfer);
      });
      return zone;
    });
    this.element = h(
      "section",
      { class: "explainer", "aria-label": "Score two files" },
      h("p", { class: "explainer-hint" }, "Choose two files, or drop them: CoNLL-2012 or JSON lines. They stay on this computer."),
      h("div", { class: "explainer-zones" }, ...zones),
      h(
        "div",
        { class: "explainer-presets" },
        button("Swap key and response", () => this.#swap()),
      ),
      this.#result,
    );
  }

  open(): void {
    this.#show();
  }

  /** Takes one file for a side, or two files for both: the name says which is the key. */
  #drop(role: Role, data: DataTransfer | null): void {
    const entries = [...(data?.items ?? [])].map((item) => item.webkitGetAsEntry());
    const files = [...(data?.files ?? [])];
    if (entries.some((entry) => entry?.isDirectory)) return this.#refuse(new Refusal("This page does not read folders."));
    if (files.length === 1) return this.#take({ [role]: files[0]! });
    if (files.length !== 2) return this.#refuse(new Refusal("Drop one file or two."));
    const isKey = files.map((file) => /key|gold/i.test(file.name));
    const [key, response] = isKey[1] && !isKey[0] ? [files[1]!, files[0]!] : [files[0]!, files[1]!];
    this.#take({ key, response });
  }

  #swap(): void {
    const { key, response } = this.#files;
    this.#files = { ...(response && { key: response }), ...(key && { response: key }) };
    this.#take({});
  }

  #take(files: Partial<Record<Role, File>>): void {
    this.#files = { ...this.#files, ...files };
    for (const role of ROLES) {
      const shown = new DataTransfer(); // dropped files also appear next to the buttons
      if (this.#files[role]) shown.items.add(this.#files[role]);
      this.#inputs[role].files = shown.files;
    }
    this.#show();
  }

  #show(): void {
    const { key, response } = this.#files;
    if (!key || !response) {
      this.#result.replaceChildren();
      return;
    }
    const run = ++this.#run;
    this.#result.replaceChildren(h("p", {}, "Scoring …"));
    void this.#score(key, response).then((parts) => run === this.#run && this.#result.replaceChildren(...parts));
  }

  async #score(key: File, response: File): Promise<Node[]> {
    try {
      const [gold, predicted] = [await read(key, "key"), await read(response, "response")];
      const scores = score(countCorpora(gold, predicted));
      return [resultOf(key, response, gold, predicted, scores), ...advice(key, response, false)];
    } catch (error) {
      const refusal =
        error instanceof Refusal
          ? error
          : error instanceof TooManyConnected
            ? new Refusal("The entities of these files overlap too much for CEAF on this page.")
            : new Refusal("These files cannot be read on this page.");
      return [...messageOf(refusal), ...advice(key, response, true)];
    }
  }

  #refuse(refusal: Refusal): void {
    this.#run++;
    this.#result.replaceChildren(...messageOf(refusal), h("pre", {}, h("code", {}, "scoref KEY RESPONSE")));
  }
}

async function read(file: File, role: Role): Promise<Corpus> {
  if (file.size > MOST_BYTES) throw new Refusal(`${file.name} is larger than ${MOST_BYTES / 1e6} MB.`);
  const bytes = await file.arrayBuffer();
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal(`${file.name} is not text in UTF-8.`, "scoref reads compressed files and archives.");
  }
  return readCorpus(text, file.name, role);
}

function messageOf(refusal: Refusal): Node[] {
  return [
    h("p", { class: "explainer-message" }, refusal.message),
    h("p", {}, ["There is no figure.", refusal.advice].filter(Boolean).join(" ")),
  ];
}

/** The command that scores these files, whose output also has the signature. */
function advice(key: File, response: File, isRefused: boolean): Node[] {
  const what = isRefused ? "Run scoref on these files:" : "scoref prints the same figures, with the signature for your paper:";
  return [h("p", {}, what), h("pre", {}, h("code", {}, `scoref ${quote(key.name)} ${quote(response.name)}`))];
}

function quote(name: string): string {
  return /^[\w.+,:@%/-]+$/.test(name) && !name.startsWith("-") ? name : `'./${name.replaceAll("'", "'\\''")}'`;
}

function resultOf(key: File, response: File, gold: Corpus, predicted: Corpus, scores: Scores): HTMLElement {
  const rows = ROWS.map((metric) => [LABELS[metric], ...figuresOf(scores[metric])]);
  rows.push([LABELS.conll, "", "", percent(scores.conll.f1)]);
  const files = [`${key.name} (key, ${sizeOf(gold)})`, `${response.name} (response, ${sizeOf(predicted)})`];
  const documents = `${gold.size} ${gold.size === 1 ? "document" : "documents"}`;
  const undefinedParts = (["muc", "bcub", "ceafe"] as const).filter((part) => !scores[part].isDefined).map((part) => LABELS[part]);
  const note = undefinedParts.length > 0 ? ` ${undefinedParts.join(" and ")}: 0/0, which counts as 0 in CoNLL.` : "";
  return h(
    "div",
    {},
    table(`${documents}: ${files.join(", ")}`, ["Metric", "Recall", "Precision", "F₁"], rows, LABELS.conll),
    h("p", {}, `Mentions match if they have the same tokens. Singletons count. Documents are added up.${note}`),
  );
}

function figuresOf({ recall, precision, f1, isDefined }: Score): string[] {
  return [recall, precision, f1].map((figure) => (isDefined ? percent(figure) : "–"));
}

function sizeOf(corpus: Corpus): string {
  const mentions = sum([...corpus.values()].map((document) => document.entities.flat().length));
  return `${mentions} ${mentions === 1 ? "mention" : "mentions"}`;
}
