/** The browser of errors of all documents: filters, groups, and the context of each error. */

import { contextOf } from "./context";
import { button, byId, choice, h } from "./dom";
import { errorEntry, gainOf, groupEntry, tidied } from "./entries";
import { signOf } from "./errors";
import type { Catalogue } from "./catalogue";
import { csv, save } from "./export";
import type { Findings, Group, Selection } from "./findings";
import type { Library } from "./library";
import { at } from "./lists";
import { MARKED, type Marks } from "./marks";
import { shortNames } from "./names";
import { count } from "./numbers";
import { pairSection } from "./pairs";
import { listenToScores } from "./scores";
import { PRINTED, Scroller } from "./scroller";
import { spanOf } from "./spots";
import { NOTHING, type State, written } from "./state";
import { say } from "./terms";
import type { Text } from "./text";
import { nameOfClass } from "./filter";
import { KEY, type Report, RESPONSE } from "./types";
import { ALL, type Facet, GROUPS, IN_TEXT, isNarrow, toggled, type Wanted, WHO } from "./wanted";

const REST = 60;
const MOST_OPTIONS = 2000;
/** Words of a text that takes a while to read. */
const LONG = 30_000;
/** Names of marks in the address and in the filter. */
const NAMED = ["", ...Object.keys(MARKED)];
const MARKS = (): string[] => ["Any", "Not marked", "Marked", "Seen", say().mistaken, "With a remark"];
/** What is said of texts, or of all errors, that were not ready when the page was printed. */
export const printedTooSoon = (what: string): string =>
  `${what} were not unpacked when the page was printed. Print the page again to include them.`;
const GROUPED = ["Nothing", "Words", "Words and entity", "Document"];

export interface BrowserActions {
  want: (change: Partial<Wanted>, system?: number, beside?: number) => void;
  open: (document: number, error: number, system: number) => void;
}

/** The lines of an error in the list. */
interface Excerpt {
  lines: HTMLElement[];
  sentence: string;
}

export class ErrorBrowser {
  private readonly all: Findings[];
  private readonly scroller = new Scroller(say().Errors);
  private readonly total = h("output", { class: "place" });
  private readonly field = h("input", {
    type: "search",
    placeholder: `Search ${say().error}s`,
    "aria-label": `Search ${say().error}s`,
  });
  private readonly systems = h("span");
  private readonly printed = h("p", { class: "caption on-paper" });
  private readonly nothing = h("p", { class: "nothing", role: "status" });
  private readonly kinds = h("div", { class: "chips", role: "group", "aria-label": "Filter by kind" });
  private readonly choices = h("div", { class: "chips", role: "group", "aria-label": "Filters" });
  private readonly take: HTMLElement;
  private findings: Findings;
  private readonly names: string[];
  private readonly marks: Marks;
  private readonly keep = button("Save marks", () => this.catalogue.marks.save(), {
    class: "link",
  });
  private state: State | null = null;
  private listed: readonly number[] = [];
  /** The lines of errors that are printed. */
  private readonly ahead = new Map<number, Excerpt>();
  private address: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly report: Report,
    private readonly catalogue: Catalogue,
    private readonly library: Library,
    private readonly actions: BrowserActions,
    holder: HTMLElement,
  ) {
    this.all = catalogue.all;
    this.findings = at(this.all, 0);
    this.marks = catalogue.marks;
    this.names = shortNames(report.documents.map((each) => each.name));
    this.take = h(
      "span",
      { class: "take-errors" },
      button("Save as CSV", () => void this.saveList(), { class: "link take-list" }),
      this.keep,
      button("Load marks", () => this.marks.load(this.all), { class: "link", title: "Load marks from a file" }),
    );
    this.field.addEventListener("input", () => actions.want({ query: this.field.value }));
    listenToScores(report, this.findings.metrics, actions.want);
    byId("pairs").replaceChildren(...pairSection(report, this.all, actions.want));
    holder.replaceChildren(
      h(
        "header",
        { class: "browser-head" },
        h("h2", {}, say().Errors),
        this.systems,
        this.total,
        this.take,
        this.field,
      ),
      this.kinds,
      this.choices,
      this.nothing,
      this.printed,
      this.scroller.element,
    );
  }

  private async saveList(): Promise<void> {
    save("errors.csv", csv(await this.table()), "text/csv");
  }

  /** Make a table of the errors that are listed, in the same order. Gains are in points, words are counted from 1. */
  private async table(): Promise<string[][]> {
    const { findings, report, listed } = this;
    const metrics = findings.metrics;
    const head = [
      ...["document", "sentence", "key_position", "response_position", "kind", "mention_class", "mention", "other_mentions"],
      ...["entity", "wrong_entity", "wrong_words", "error", "mark", "remark"],
      ...metrics.map((metric) => `gain_${metric}_points`),
    ];
    const rows = [head];
    for (const row of listed) {
      const kind = report.kinds[at(findings.columns.kind, row)];
      const company = tidied(findings.text(row, "company"));
      // A span error has the words of the response there.
      const isWords = kind?.sentence?.includes("{found}") ?? false;
      rows.push([
        report.documents[at(findings.document, row)]?.name ?? "",
        ...(await this.position(findings, row)),
        kind?.name ?? "",
        findings.names("class")[findings.columns.class?.[row] ?? -1] ?? "",
        tidied(findings.text(row, "words")),
        String(at(findings.columns.more, row)),
        tidied(findings.text(row, "entity")),
        isWords ? "" : company,
        isWords ? company : "",
        this.catalogue.said(findings, row),
        this.marks.of(findings, row)?.status ?? "",
        this.marks.of(findings, row)?.remark ?? "",
        ...metrics.map((metric) => pointsOf(findings.gain(row, metric))),
      ]);
    }
    return rows;
  }

  /** Return the sentence of an error, and the places of its first mention in the key and in the response. */
  private async position(findings: Findings, row: number): Promise<string[]> {
    const document = at(findings.document, row);
    const nowhere = ["", "", ""];
    if (!this.library.has(document)) return nowhere;
    const text = await this.library.text(document, findings.system);
    const error = text.errors[text.placeOf(at(findings.number, row))];
    if (!error) return nowhere;
    const places = ([KEY, RESPONSE] as const).map((side) =>
      error.firsts[side] < 0 ? "" : spanOf(text, { side, number: error.firsts[side] }),
    );
    return [String(text.sentenceOf(error.token) + 1), ...places];
  }

  focusSearch(): void {
    this.field.focus();
    this.field.select();
  }

  /** Draw the first errors of the list for printing. */
  print(): void {
    const printed = Math.min(PRINTED, this.scroller.size);
    const whole = count(this.scroller.size);
    this.scroller.print();
    let bare = 0;
    for (const [, item] of this.scroller.items()) if (isBare(item) && this.isReadable(item) && !this.fill(item)) bare++;
    const about = printed < this.scroller.size ? `The first ${printed} of ${whole} are printed. ` : "";
    this.printed.textContent = bare ? `${about}${printedTooSoon("Some texts")}` : about.trim();
  }

  private isReadable(entry: HTMLElement): boolean {
    return this.library.has(at(this.findings.document, Number(entry.dataset["row"])));
  }

  /** Draw nothing while another view is open. */
  rest(): void {
    this.scroller.rest();
  }

  /** Show the errors that a state selects. If nothing has changed, the list stays where it was. */
  update(state: State): void {
    const { wanted, system } = state;
    this.state = state;
    this.keep.disabled = !this.marks.size;
    this.keep.title = this.marks.size ? "Save all marks as a file" : "There are no marks yet";
    const address = written({ ...NOTHING, wanted, system, beside: state.beside });
    if (this.address === address) return this.scroller.wake();
    this.address = address;
    const { findings, found } = this.catalogue.select(state);
    this.findings = findings;
    if (document.activeElement !== this.field) this.field.value = wanted.query;
    const { length } = found.rows;
    const whole = count(this.findings.size);
    this.total.value = length < this.findings.size ? `${count(length)} of ${whole}` : whole;
    this.showSystems(system);
    this.showKinds(wanted, found);
    this.showChoices(state, found);
    this.showList(wanted, found.rows);
  }

  /** Draw the list again after a mark was changed. */
  redraw(): void {
    this.address = null;
    const { state } = this;
    if (state) this.scroller.again(() => this.update(state));
  }

  private showSystems(system: number): void {
    const names = this.report.systems.map((each) => each.name);
    if (names.length < 2) return;
    const made = choice(`${say().Errors} of`, names, system, (place) => this.actions.want({}, place));
    replace(this.systems, [made]);
  }

  /** Filters for who else is wrong, and for the other system. */
  private comparison({ wanted, system, beside }: State): HTMLElement[] {
    const names = this.report.systems.map((each) => each.name);
    if (beside === null) return [];
    const [one, other] = [names[system] ?? "", names[beside] ?? ""];
    const labels = ["Any", `Only ${one}`, say().both, `Only ${other}`];
    const who = choice(say().who, labels, WHO.indexOf(wanted.who), (place) =>
      this.actions.want({ who: WHO[place] ?? "" }),
    );
    who.classList.toggle("chosen", wanted.who !== "");
    if (names.length < 3) return [who];
    const others = names.flatMap((_, each) => (each === system ? [] : [each]));
    const against = others.map((each) => `compared with ${names[each] ?? ""}`);
    const choose = (place: number): void => this.actions.want({}, system, others[place]);
    return [who, choice("Compared with", against, others.indexOf(beside), choose)];
  }

  private showKinds(wanted: Wanted, { counts }: Selection): void {
    const chips = this.report.kinds.flatMap((kind, number) => {
      const size = counts.kind[number] ?? 0;
      const isChosen = wanted.kind.includes(number);
      if (!size && !isChosen) return [];
      const chip = button("", () => this.actions.want({ kind: toggled(wanted.kind, number) }), {
        class: "chip",
        "data-kind": number,
        title: kind.meaning,
        "aria-pressed": String(isChosen),
      });
      chip.append(h("b", { class: "sign" }, signOf(kind)), ` ${kind.label} `, h("small", {}, count(size)));
      return [chip];
    });
    replace(this.kinds, chips);
  }

  private showChoices(state: State, { counts }: Selection): void {
    const { wanted } = state;
    const { documents, sizes } = this.report;
    const known = this.findings.names("class");
    const present = this.findings.presentClasses;
    const classes = known.map((name) => nameOfClass(name, present));
    const distances = this.findings.names("distance").map(distanceName);
    const lengths = (sizes?.labels ?? []).map((label) => `${label} ${label === "1" ? "mention" : "mentions"}`);
    const names =
      documents.length > MOST_OPTIONS ? [] : this.names.map((name) => name || "(no name)");
    const group = choice("Group by", GROUPED, GROUPS.indexOf(wanted.group), (place) =>
      this.actions.want({ group: GROUPS[place] ?? "" }),
    );
    const controls = [
      ...this.facet("class", "Mention class", classes, wanted, counts.class),
      ...this.facet("distance", "Distance", distances, wanted, counts.distance),
      ...this.facet("size", "Entity size", lengths, wanted, counts.size),
      ...this.facet("genre", "Genre", this.findings.names("genre"), wanted, counts.genre),
      ...this.facet("document", "Document", names, wanted, counts.document),
      ...this.comparison(state),
      group,
      ...(wanted.group ? [] : this.sortChoice(wanted)),
    ];
    const marked = choice("Marks", MARKS(), Math.max(NAMED.indexOf(wanted.mark), 0), (place) =>
      this.actions.want({ mark: NAMED[place] ?? "" }),
    );
    marked.classList.toggle("chosen", wanted.mark !== "");
    if (this.marks.size || wanted.mark) controls.push(marked);
    replace(this.choices, [
      ...controls.map((control) => labelled(control)),
      ...this.quoted(wanted),
      ...(isNarrow(wanted)
        ? [button("Clear filters", () => this.actions.want({ ...ALL, group: wanted.group, sort: wanted.sort }), { class: "link" })]
        : []),
    ]);
  }

  /** Make a filter; each of its values has the number of errors that it would leave. */
  private facet(
    facet: Facet,
    label: string,
    names: readonly string[],
    wanted: Wanted,
    counts: Int32Array,
  ): HTMLElement[] {
    const [chosen] = wanted[facet];
    const codes = names.flatMap((_, code) => (counts[code] || wanted[facet].includes(code) ? [code] : []));
    if (codes.length < 2 && chosen === undefined) return [];
    const labels = codes.map((code) => `${at(names, code)} (${count(counts[code] ?? 0)})`);
    const made = choice(label, ["Any", ...labels], chosen === undefined ? 0 : codes.indexOf(chosen) + 1, (place) =>
      this.actions.want({ [facet]: place ? [at(codes, place - 1)] : [] }),
    );
    made.classList.toggle("chosen", chosen !== undefined);
    made.dataset["facet"] = facet;
    return [made];
  }

  /** Show the words that errors are filtered by, with a button that removes the filter. */
  private quoted(wanted: Wanted): HTMLElement[] {
    return (["words", "entity"] as const).flatMap((which) => {
      const text = wanted[which];
      if (text === null) return [];
      const label = which === "words" ? `“${tidied(text)}” ×` : `put with “${tidied(text)}” ×`;
      return [
        button(label, () => this.actions.want({ [which]: null }), {
          class: "chip",
          "aria-pressed": "true",
          dir: "auto",
        }),
      ];
    });
  }

  private showList(wanted: Wanted, rows: readonly number[]): void {
    const { findings, report } = this;
    this.nothing.hidden = rows.length > 0;
    this.nothing.textContent = findings.size
      ? `No ${say().error}s match these filters. Clear a filter to see more.`
      : say().none;
    const isEmpty = !findings.size;
    for (const part of [this.field, this.choices, this.take]) part.hidden = isEmpty;
    this.scroller.element.hidden = !rows.length;
    this.scroller.element.classList.toggle("grouped", wanted.group !== "");
    this.listed = rows;
    if (wanted.group) {
      const metric = this.catalogue.metric(findings, "");
      const groups = findings.grouped(rows, wanted.group, metric);
      this.scroller.show(groups.length, (place) => {
        const group = at(groups, place);
        return groupEntry(report, findings, group, wanted.group, () => this.enter(group, wanted.group));
      });
      return;
    }
    const metric = this.catalogue.metric(findings, wanted.sort);
    const sorted = this.catalogue.sorted(findings, rows, wanted);
    this.listed = sorted;
    clearTimeout(this.later);
    this.later = setTimeout(() => void this.readAhead(), REST);
    const most = findings.mostGained(metric);
    const label = this.labelOf(metric);
    this.scroller.show(sorted.length, (place) => {
      const row = at(sorted, place);
      return this.entry(row, gainOf(findings.gain(row, metric), most, label));
    });
  }

  private labelOf(metric: string): string {
    const scores = this.report.systems[0]?.scores ?? [];
    return scores.find((score) => score.metric === metric)?.label ?? metric;
  }

  private sortChoice(wanted: Wanted): HTMLElement[] {
    const { metrics } = this.findings;
    if (!metrics.length) return [];
    const hasGroups = Boolean(this.report.systems[this.findings.system]?.groups?.length);
    const sorts = [...(hasGroups ? [""] : []), ...metrics, IN_TEXT];
    const names = sorts.map((each) =>
      each === "" ? "Costliest group first" : each === IN_TEXT ? "Text order" : `${this.labelOf(each)} gain of each ${say().error}`,
    );
    const present = hasGroups && !wanted.sort ? "" : this.catalogue.metric(this.findings, wanted.sort) || IN_TEXT;
    return [choice("Order", names, sorts.indexOf(present), (chosen) => this.actions.want({ sort: sorts[chosen] ?? "" }))];
  }

  /** List the errors of a group. */
  private enter({ rows }: Group, by: Wanted["group"]): void {
    const { findings } = this;
    const first = at(rows, 0);
    if (by === "document") return this.actions.want({ group: "", document: [at(findings.document, first)] });
    this.actions.want({
      group: "",
      kind: [at(findings.columns.kind, first)],
      words: findings.text(first, "words"),
      entity: by === "pair" ? findings.text(first, "company") : null,
    });
  }

  private entry(row: number, gain: HTMLElement | null): HTMLElement {
    const { findings, report } = this;
    const document = at(findings.document, row);
    const made = errorEntry(report, findings, row, gain, this.names[document] ?? "", () =>
      this.actions.open(document, at(findings.number, row), findings.system),
    );
    made.dataset["row"] = String(row);
    const mark = this.marks.of(findings, row);
    const label = mark?.status || (mark ? "remark" : "add mark");
    const said = this.catalogue.said(findings, row);
    const edit = button(label, () => this.marks.edit(findings, row, said), {
      class: mark ? "link mark marked" : "link mark",
      "aria-label": `${mark ? `${label}, change the mark` : "add mark"}: ${said}`,
      title: mark?.remark || `Mark this ${say().error} as seen, ${say().mark}, or write a remark`,
    });
    edit.addEventListener("click", (event) => event.stopPropagation());
    made.querySelector(".entry-place")?.append(edit);
    this.fill(made) || this.fillSoon();
    return made;
  }

  /** Draw the lines of an entry if its text has been read. */
  private fill(entry: HTMLElement): boolean {
    const { findings } = this;
    const row = Number(entry.dataset["row"]);
    const text = this.library.ready(at(findings.document, row), findings.system);
    const excerpt = this.ahead.get(row) ?? (text && this.excerptOf(text, row));
    if (!excerpt) return text !== null;
    entry.querySelector(".entry-lines")?.replaceChildren(...excerpt.lines.map((line) => line.cloneNode(true)));
    entry.querySelector(".entry-document")?.after(h("span", { class: "entry-sentence" }, excerpt.sentence));
    return true;
  }

  private excerptOf(text: Text, row: number): Excerpt | null {
    const error = text.errors[text.placeOf(at(this.findings.number, row))];
    if (!error) return null;
    const sentence = `sentence ${count(text.sentenceOf(error.token) + 1)}`;
    return { lines: contextOf(text, error, this.report.kinds), sentence };
  }

  /** Read texts when the list has stopped scrolling. */
  private fillSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.fillAll(), REST);
  }

  private async fillAll(): Promise<void> {
    const { findings } = this;
    const empty = [...this.scroller.items()].filter(([, item]) => isBare(item));
    for (const [, item] of empty) {
      const document = at(findings.document, Number(item.dataset["row"]));
      if (!item.isConnected || !this.library.has(document)) continue;
      await this.library.text(document, findings.system);
      if (findings !== this.findings) return;
      if (item.isConnected) this.fill(item);
    }
  }

  /** Keep the lines of the errors that are printed, because printing does not wait for their texts. */
  private async readAhead(): Promise<void> {
    const { findings, listed } = this;
    this.ahead.clear();
    for (const row of listed.slice(0, PRINTED)) {
      const document = at(findings.document, row);
      if (!this.library.has(document)) continue;
      const isLong = (this.report.documents[document]?.tokens ?? 0) > LONG;
      if (isLong && !this.library.ready(document, findings.system)) await idle();
      if (listed !== this.listed) return;
      const text = await this.library.text(document, findings.system);
      if (listed !== this.listed) return;
      const excerpt = this.excerptOf(text, row);
      if (excerpt) this.ahead.set(row, excerpt);
    }
  }
}

/** Return whether an entry of an error does not have its lines yet. */
function isBare(entry: HTMLElement): boolean {
  return Boolean(entry.dataset["row"]) && !entry.querySelector(".entry-lines")?.firstChild;
}

/** Wait until the browser has nothing else to do. */
function idle(): Promise<void> {
  const wait = "requestIdleCallback" in window ? requestIdleCallback : setTimeout;
  return new Promise((done) => void wait(() => done()));
}

/** Write a gain in points, without digits that are not known. */
function pointsOf(gain: number | null): string {
  return gain === null ? "" : String(Number((100 * gain).toPrecision(10)));
}

/** Put a label above a control. */
function labelled(control: HTMLElement): HTMLElement {
  return h("label", {}, control.getAttribute("aria-label") ?? "", control);
}

/** Replace elements, and restore the focus. */
function replace(holder: HTMLElement, elements: readonly HTMLElement[]): void {
  const name = (each: Element | null): string | null =>
    each?.getAttribute("aria-label") ?? each?.getAttribute("title") ?? null;
  const focused = holder.contains(document.activeElement) ? name(document.activeElement) : null;
  holder.replaceChildren(...elements);
  const controls = elements.map((each) => each.querySelector<HTMLElement>("select") ?? each);
  if (focused) controls.find((each) => name(each) === focused)?.focus();
}

function distanceName(name: string): string {
  const names: Record<string, string> = {
    first: "first mention of its entity",
    0: "in the same sentence",
    1: "1 sentence back",
    "6-": "6 or more sentences back",
  };
  return names[name] ?? `${name.replace("-", "–")} sentences back`;
}
