// The interactive drawing on the page about a metric.

import { readLine, writeLine } from "./corpus";
import { button, field, h, readAddress, table, writeAddress } from "./dom";
import { examplesOf } from "./examples";
import { type Side, escape } from "./layout";
import { NAMES, type Subject, type View, hintOf, problemOf, view } from "./subjects";

export class Explainer {
  readonly element: HTMLElement;
  #subject: Subject;
  #key: HTMLInputElement;
  #response: HTMLInputElement;
  #message = h("p", { class: "explainer-message", role: "status" });
  #picture = h("div", { class: "explainer-picture" });
  #figures = h("div", { class: "explainer-figures" });
  #sums = h("div", { class: "explainer-sums", "aria-live": "polite" });

  constructor(subjects: readonly Subject[]) {
    this.#subject = subjects[0]!;
    const [example] = examplesOf(this.#subject);
    const [keyField, key] = field("Key", example!.key);
    const [responseField, response] = field("Response", example!.response);
    [this.#key, this.#response] = [key, response];
    this.element = h(
      "section",
      { class: "explainer", "aria-label": `${NAMES[this.#subject]}, drawn` },
      h("p", { class: "explainer-hint" }, hintOf(this.#subject)),
      keyField,
      responseField,
      this.#presets(),
      this.#message,
      ...(subjects.length > 1 ? [this.#choice(subjects)] : []),
      h("div", { class: "explainer-stage" }, h("div", { class: "explainer-left" }, this.#picture, this.#sums), this.#figures),
    );
    for (const input of [key, response]) input.addEventListener("input", () => this.#change());
    this.#picture.addEventListener("pointerdown", (event) => this.#drag(event));
    this.#picture.addEventListener("keydown", (event) => this.#press(event));
    window.addEventListener("hashchange", () => this.#open());
    window.addEventListener("resize", () => this.#draw());
  }

  /** Shows the example of the address; call this when the element is on the page. */
  open(): void {
    this.#open();
  }

  #open(): void {
    const subject = this.#subject;
    const example = readAddress((documents) => documents.length === 1 && problemOf(subject, ...documents[0]!) === "");
    if (Array.isArray(example)) [this.#key.value, this.#response.value] = example[0]!;
    else if (example === "damaged") {
      const [first] = examplesOf(subject);
      [this.#key.value, this.#response.value] = [first!.key, first!.response];
    }
    this.#draw();
    if (example === "damaged") {
      this.#message.textContent = "The address of this page is damaged, so this is the default example.";
    }
  }

  #presets(): HTMLElement {
    const buttons = examplesOf(this.#subject).map((example) =>
      button(example.name, () => this.#set(example.key, example.response)),
    );
    return h("div", { class: "explainer-presets", role: "group", "aria-label": "Examples" }, ...buttons);
  }

  #choice(subjects: readonly Subject[]): HTMLElement {
    const buttons = subjects.map((subject) => {
      const choice = button(NAMES[subject], () => {
        this.#subject = subject;
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === choice));
        this.#draw();
      });
      choice.setAttribute("aria-pressed", String(subject === this.#subject));
      return choice;
    });
    return h("div", { class: "explainer-presets", role: "group", "aria-label": "Metric" }, ...buttons);
  }

  #set(key: string, response: string): void {
    [this.#key.value, this.#response.value] = [key, response];
    this.#change();
  }

  #change(): void {
    this.#draw();
    if (this.#message.textContent === "") writeAddress([[this.#key.value, this.#response.value]]);
  }

  #draw(): void {
    const [subject, key, response] = [this.#subject, this.#key.value, this.#response.value];
    const problem = problemOf(subject, key, response);
    this.#message.textContent = problem;
    this.element.classList.toggle("is-stale", problem !== "");
    for (const input of [this.#key, this.#response]) input.setAttribute("aria-invalid", String(problem !== ""));
    if (problem) return;
    const width = Math.max(280, this.#picture.clientWidth - 4);
    this.#show(view(subject, key, response, width));
  }

  #show({ picture, sums, rows }: View): void {
    const { width, height, body } = picture;
    const label = escape(`Drawing of ${NAMES[this.#subject]}: ${sums.join("; ")}`);
    const role = this.#subject === "mor" ? "img" : "group";
    this.#picture.innerHTML =
      `<svg width="${Math.ceil(width)}" height="${Math.ceil(height)}" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" ` +
      `role="${role}" aria-label="${label}">${body}</svg>`;
    for (const mention of this.#picture.querySelectorAll(".mention")) {
      mention.setAttribute("tabindex", "0");
      mention.setAttribute("role", "button");
    }
    this.#sums.replaceChildren(...sums.map((sum) => h("p", {}, sum.replaceAll(" %", "\u00a0%"))));
    this.#figures.replaceChildren(
      table("Figures of this example in percent", ["Metric", "R", "P", "F₁"], rows, NAMES[this.#subject]),
    );
  }

  #sides(): Record<Side, string[][]> {
    const read = (input: HTMLInputElement): string[][] => readLine(input.value).map((entity) => [...entity]);
    return { key: read(this.#key), response: read(this.#response) };
  }

  /** Moves a mention to the entity with this number; beyond the last one, to a new entity. Null removes it. */
  #move(side: Side, mention: string, entity: number | null): void {
    const sides = this.#sides();
    const entities = sides[side].map((members) => members.filter((other) => other !== mention));
    if (entity !== null) {
      while (entities.length <= entity) entities.push([]);
      entities[entity]!.push(mention);
    }
    const input = side === "key" ? this.#key : this.#response;
    input.value = writeLine(entities.filter((members) => members.length > 0));
    this.#change();
    this.#mention(side, mention)?.focus();
  }

  #mention(side: Side, mention: string): SVGElement | undefined {
    const all = this.#picture.querySelectorAll<SVGElement>(`.mention[data-side="${side}"]`);
    return [...all].find((element) => element.dataset["mention"] === mention);
  }

  #press(event: KeyboardEvent): void {
    const mention = (event.target as Element).closest<SVGElement>(".mention");
    const step = { ArrowLeft: -1, ArrowRight: 1, Delete: 0, Backspace: 0 }[event.key];
    if (!mention || step === undefined) return;
    event.preventDefault();
    const side = mention.dataset["side"] as Side;
    const name = mention.dataset["mention"]!;
    const entity = this.#sides()[side].findIndex((members) => members.includes(name));
    if (step === 0) this.#move(side, name, null);
    else if (entity + step >= 0) this.#move(side, name, entity + step);
  }

  #drag(event: PointerEvent): void {
    const mention = (event.target as Element).closest<SVGElement>(".mention");
    if (!mention || event.button !== 0) return;
    event.preventDefault();
    mention.focus();
    const [side, name] = [mention.dataset["side"] as Side, mention.dataset["mention"]!];
    const svg = mention.ownerSVGElement!;
    const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    const [x, y] = [event.clientX, event.clientY];
    let isMoved = false;
    const move = (now: PointerEvent): void => {
      isMoved ||= Math.hypot(now.clientX - x, now.clientY - y) > 6;
      if (isMoved) mention.setAttribute("transform", `translate(${(now.clientX - x) * scale} ${(now.clientY - y) * scale})`);
    };
    const stop = new AbortController();
    const drop = (now: PointerEvent): void => {
      stop.abort();
      mention.removeAttribute("transform");
      if (!isMoved || now.type === "pointercancel") return;
      const target = this.#entityAt(side, now.clientX, now.clientY);
      if (target !== undefined) this.#move(side, name, target);
    };
    window.addEventListener("pointermove", move, { signal: stop.signal });
    window.addEventListener("pointerup", drop, { signal: stop.signal });
    window.addEventListener("pointercancel", drop, { signal: stop.signal });
  }

  /** The entity of this side at a point; a point between entities is a new one, and outside the drawing none. */
  #entityAt(side: Side, x: number, y: number): number | undefined {
    const isInside = (box: DOMRect): boolean => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    const boxes = [...this.#picture.querySelectorAll<SVGElement>(`.box[data-side="${side}"]`)];
    const hit = boxes.find((box) => isInside(box.getBoundingClientRect()));
    if (hit) return Number(hit.dataset["entity"]);
    return isInside(this.#picture.getBoundingClientRect()) ? this.#sides()[side].length : undefined;
  }
}
