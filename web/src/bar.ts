/** The bar above a document: the position, what is shown, and buttons for the next error. */

import { button, choice, h } from "./dom";
import { signOf } from "./errors";
import { classesOf, nameOfClass } from "./filter";
import { shortNames } from "./names";
import { count } from "./numbers";
import { sideNames } from "./sides";
import { type State, VERDICTS, type View } from "./state";
import { say } from "./terms";
import type { Text } from "./text";
import type { Report } from "./types";
import type { Listed } from "./walk";
import { toggled } from "./wanted";

const LISTED = 2000;
const VIEWS: [View, string][] = [
  ["side", "Side by side"],
  ["over", "Overlaid"],
  ["key", "Key"],
  ["response", "Response"],
  ["all", "All"],
];

export interface BarActions {
  change: (change: Partial<State>) => void;
  stepError: (step: 1 | -1) => void;
  search: (query: string, step: 1 | -1) => void;
  showKeys: () => void;
  showLegend: () => void;
  turnTheme: () => void;
}

export interface Counts {
  errors: number;
  error: number;
  /** The filtered list of the report, if the buttons step through it. */
  listed: Listed | null;
  hits: number;
  hit: number;
}

export class Bar {
  readonly element = h("header", { class: "controls of-text" });
  private readonly errorCount = h("output", { class: "place" });
  private readonly hitCount = h("output", { class: "place" });
  private readonly field = h("input", {
    type: "search",
    placeholder: "Search",
    "aria-label": "Search in this document",
  });
  private readonly views: HTMLButtonElement[];
  private readonly kinds: HTMLButtonElement[];
  private readonly dropEntity: HTMLButtonElement;
  private readonly list: HTMLButtonElement;
  private readonly withText: number[];

  constructor(
    private readonly report: Report,
    private readonly text: Text,
    private state: State,
    private readonly actions: BarActions,
  ) {
    this.withText = report.documents.flatMap((document, place) => (document.has_text ? [place] : []));
    const views = VIEWS.filter(([view]) => view !== "all" || report.systems.length > 1);
    const { titles } = sideNames(report, text.system);
    this.views = views.map(([view, label]) =>
      button(view === "key" ? titles[0] : view === "response" ? titles[1] : label, () => actions.change({ view }), {
        "data-view": view,
        title: view === "all" && `${titles[0]} and all systems side by side`,
      }),
    );
    this.kinds = this.kindButtons();
    this.dropEntity = button("One entity ×", () => actions.change({ entity: null }), {
      class: "chip",
      "aria-pressed": "true",
    });
    this.list = button("List ×", () => actions.change({ listed: false }), {
      class: "chip listed",
      "aria-pressed": "true",
      title: `The arrows go through this list, in all documents. Click to go through the ${say().error}s of this document instead.`,
      dir: "auto",
    });
    this.listenToField();
    this.element.append(this.first(), this.second());
  }

  update(state: State, counts: Counts): void {
    this.state = state;
    const view = document.querySelector<HTMLElement>(".text")?.dataset["view"];
    for (const each of this.views) each.setAttribute("aria-pressed", String(each.dataset["view"] === view));
    for (const each of this.kinds)
      each.setAttribute("aria-pressed", String(state.kinds.includes(Number(each.dataset["kind"]))));
    this.dropEntity.hidden = state.entity === null;
    const { listed } = counts;
    const [place, total] = listed ? [listed.place, listed.total] : [counts.error, counts.errors];
    this.errorCount.value = place >= 0 ? `${count(place + 1)} of ${count(total)}` : count(total);
    // So that nothing moves when the first error is gone to.
    this.errorCount.style.minWidth = `${2 * count(total).length + 3}ch`;
    this.list.hidden = !listed;
    if (listed) this.list.textContent = `${listed.name} ×`;
    this.hitCount.value = !state.query
      ? ""
      : counts.hit >= 0
        ? `${count(counts.hit + 1)} / ${count(counts.hits)}`
        : counts.hits
          ? count(counts.hits)
          : "none";
    if (document.activeElement !== this.field) this.field.value = state.query;
  }

  /** The height of what stays at the top while the text is scrolled. Phones have no room for all of it. */
  get height(): number {
    const parts = this.element.offsetHeight ? [this.element] : this.element.querySelectorAll<HTMLElement>(".here, .filters");
    return [...parts].reduce((sum, part) => sum + part.offsetHeight, 0);
  }

  focusSearch(): void {
    this.field.focus();
    this.field.select();
  }

  stepDocument(step: 1 | -1): void {
    const place = this.withText.indexOf(this.state.document ?? -1);
    const next = this.withText[place + step];
    if (next !== undefined) this.actions.change({ document: next });
  }

  private first(): HTMLElement {
    const { report, state } = this;
    const back = button("←", () => this.actions.change({ document: null }), {
      class: "back",
      "aria-label": "Back to the report",
      title: "Back to the report",
    });
    const systems = report.systems.map((system) => system.name);
    return h(
      "div",
      { class: "line first" },
      h(
        "div",
        { class: "here" },
        back,
        h(
          "div",
          { class: "documents" },
          this.documentButton("‹", -1),
          this.documentChoice(),
          this.documentButton("›", 1),
        ),
      ),
      h(
        "div",
        { class: "ways" },
        systems.length > 1 &&
          choice(say().system, systems, state.system, (system) => this.actions.change({ system })),
        h("div", { class: "views", role: "group", "aria-label": "View" }, ...this.views),
        h("div", { class: "search", role: "search" }, this.field, this.hitCount),
        button("◐", this.actions.turnTheme, {
          class: "plain",
          "aria-label": "Light or dark mode",
          title: "Light or dark mode (t)",
        }),
        button("Legend", this.actions.showLegend, { title: "What colours, lines and signs mean (l)" }),
        button("?", this.actions.showKeys, { class: "plain", "aria-label": "Help", title: "Help and keyboard shortcuts (?)" }),
      ),
    );
  }

  private documentButton(label: string, step: 1 | -1): HTMLElement {
    const place = this.withText.indexOf(this.state.document ?? -1) + step;
    const name = step > 0 ? "Next document" : "Previous document";
    return button(label, () => this.stepDocument(step), {
      class: "plain",
      "aria-label": name,
      title: name,
      disabled: place < 0 || place >= this.withText.length,
    });
  }

  private documentChoice(): HTMLElement {
    const every = this.report.documents.map((each) => each.name);
    const short = shortNames(every);
    const names = this.withText.map((place) => short[place] || every[place] || "(no name)");
    const chosen = this.withText.indexOf(this.state.document ?? -1);
    const title = every[this.state.document ?? -1] ?? "";
    if (names.length > LISTED || names.length < 2)
      return h("b", { class: "document-name", dir: "auto", title }, names[chosen] ?? "");
    const made = choice("Document", names, chosen, (place) =>
      this.actions.change({ document: this.withText[place] ?? null }),
    );
    made.title = title;
    return made;
  }

  private second(): HTMLElement {
    const classes = classesOf(this.text);
    const chosen = classes.indexOf(this.state.className) + 1;
    const choose = (place: number): void =>
      this.actions.change({ className: place ? (classes[place - 1] ?? "") : "" });
    return h(
      "div",
      { class: "line filters" },
      h(
        "div",
        { class: "steps", role: "group", "aria-label": "Errors" },
        button("‹", () => this.actions.stepError(-1), {
          class: "plain",
          "aria-label": `Previous ${say().error}`,
          title: `Previous ${say().error} (p)`,
          disabled: !this.text.errors.length,
        }),
        h("span", {}, `${say().Errors} `, this.errorCount),
        button("›", () => this.actions.stepError(1), {
          class: "plain next",
          "aria-label": `Next ${say().error}`,
          title: `Next ${say().error} (n)`,
          disabled: !this.text.errors.length,
        }),
        this.list,
      ),
      h("div", { class: "chips", role: "group", "aria-label": "Filter by kind" }, ...this.kinds),
      classes.length > 1 && choice("Class of mention", ["All mentions", ...classes.map((name) => nameOfClass(name, classes))], chosen, choose),
      ...this.comparison(),
      this.dropEntity,
    );
  }

  /** Filters for who is wrong, the other system, and the systems that are shown. */
  private comparison(): HTMLElement[] {
    const { report, state } = this;
    const names = report.systems.map((system) => system.name);
    if (names.length < 2 || state.beside === null) return [];
    const [one, other] = [names[state.system] ?? "", names[state.beside] ?? ""];
    const labels = [say().verdicts[0], `Only ${one} ${say().is}`, `Only ${other} ${say().is}`, say().both, say().verdicts[1]];
    const verdict = choice(say().who, labels, VERDICTS.indexOf(state.verdict), (place) =>
      this.actions.change({ verdict: VERDICTS[place] ?? "" }),
    );
    return names.length > 2 ? [verdict, this.besideChoice(names), ...this.columnChips(names)] : [verdict];
  }

  private besideChoice(names: readonly string[]): HTMLElement {
    const others = names.flatMap((_, system) => (system === this.state.system ? [] : [system]));
    const labels = others.map((system) => `compared with ${names[system] ?? ""}`);
    return choice("Compared with", labels, others.indexOf(this.state.beside ?? -1), (place) =>
      this.actions.change({ beside: others[place] ?? null }),
    );
  }

  private columnChips(names: readonly string[]): HTMLElement[] {
    const { state } = this;
    if (state.view !== "all") return [];
    const chips = names.map((name, system) => {
      const isShown = state.columns.includes(system);
      return button(name, () => this.actions.change({ columns: toggled(state.columns, system) }), {
        class: "chip",
        "aria-pressed": String(isShown),
        disabled: system === state.system,
      });
    });
    return [h("div", { class: "chips", role: "group", "aria-label": "Systems side by side" }, ...chips)];
  }

  private kindButtons(): HTMLButtonElement[] {
    return this.report.kinds.flatMap((kind, number) => {
      const size = this.text.errors.filter((error) => error.kind === number).length;
      if (!size) return [];
      const made = button("", () => this.toggle(number), {
        class: "chip",
        "data-kind": number,
        title: kind.meaning,
        "aria-pressed": "false",
      });
      made.append(h("b", { class: "sign" }, signOf(kind)), ` ${kind.label} `, h("small", {}, count(size)));
      return [made];
    });
  }

  private toggle(kind: number): void {
    this.actions.change({ kinds: toggled(this.state.kinds, kind) });
  }

  private listenToField(): void {
    this.field.value = this.state.query;
    this.field.addEventListener("input", () => this.actions.search(this.field.value, 1));
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.actions.search(this.field.value, event.shiftKey ? -1 : 1);
      if (event.key !== "Escape") return;
      // It leaves the field and nothing else; the browser's own way would be to empty it.
      event.preventDefault();
      event.stopPropagation();
      this.field.blur();
    });
  }
}
