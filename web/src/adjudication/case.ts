/** One dispute: the text around it in the key and for each annotator, and the possible decisions. */

import { button, h } from "../dom";
import { at } from "../lists";
import { counted } from "../numbers";
import { type Look, lookClass, paintedRow } from "../paint";
import { marksByRow, rowsOf } from "../rows";
import { Text } from "../text";
import { KEY, RESPONSE, type SideNumber } from "../types";
import type { DocumentData, Kind, Status } from "./decisions";
import { annotatorText, companyOf, keySide, type Labels, type Partition, type Reading, readingsOf } from "./readings";

/** Rows that are drawn before and after the mentions; more on demand. */
const AROUND = 25;
const NAMED = 3;
/** With more annotators, one is shown at a time. */
const MOST_COLUMNS = 4;

export interface PanelActions {
  place: string;
  number: string;
  go: (step: number) => void;
  decided: string[];
  status: Status;
  take: (annotator: number) => void;
  decide: (kind: Kind) => void;
  merge: () => void;
  choose: (unit: number | null) => void;
}

export interface Mergeable {
  unit: number;
  label: string;
  look: string;
  words: string;
  size: number;
}

export class Case {
  readonly readings: Reading[];
  /** The number of the first mention's sentence. */
  readonly sentence: number;
  private readonly key: Partition;
  /** A text for each annotator who has the document. */
  private readonly texts: (Text | null)[];
  private readonly first: Text;

  constructor(
    private readonly document: DocumentData,
    private readonly group: readonly number[],
    private readonly units: readonly number[],
    private readonly entity: readonly number[],
    private readonly names: readonly string[],
    labels: Labels,
    private readonly keepsSingletons: boolean,
  ) {
    this.readings = readingsOf(document, units);
    this.key = keySide(document, entity, labels);
    this.texts = document.annotators.map((own) => own && annotatorText(document, own, this.key));
    this.first = this.texts.find((text) => text !== null) as Text;
    this.sentence = this.first.sentenceOf(this.token(at(units, 0))) + 1;
  }

  /** Write the words of a mention. */
  phrase(unit: number): string {
    const pieces = at(this.document.mentions, unit);
    const words: string[] = [];
    for (let place = 0; place < pieces.length; place += 2)
      words.push(this.first.wordsFrom(at(pieces, place), at(pieces, place + 1)));
    return words.join(" … ");
  }

  /** List the other entities of the key: those that an annotator proposes first, then the nearest. */
  get mergeable(): Mergeable[] {
    const own = new Set(this.units.map((unit) => at(this.entity, unit)));
    const votes = new Map<number, number>();
    for (const { company, annotators } of this.readings)
      for (const entity of new Set((company ?? []).map((unit) => at(this.entity, unit))))
        votes.set(entity, (votes.get(entity) ?? 0) + annotators.length);
    const members = new Map<number, number[]>();
    this.entity.forEach((entity, unit) => {
      if (entity >= 0 && !own.has(entity)) members.set(entity, [...(members.get(entity) ?? []), unit]);
    });
    const here = this.token(at(this.units, 0));
    const distance = (units: number[]): number => Math.min(...units.map((unit) => Math.abs(this.token(unit) - here)));
    return [...members]
      .map(([entity, units]) => ({ units, votes: votes.get(entity) ?? 0, distance: distance(units) }))
      .sort((one, other) => other.votes - one.votes || one.distance - other.distance)
      .map(({ units }) => ({
        unit: at(units, 0),
        ...this.swatch(at(units, 0)),
        words: this.listed(units),
        size: units.length,
      }));
  }

  private token(unit: number): number {
    return at(at(this.document.mentions, unit), 0);
  }

  private listed(units: readonly number[]): string {
    const named = units.slice(0, NAMED).map((unit) => `“${this.phrase(unit)}”`);
    const more = units.length - named.length;
    return named.join(", ") + (more > 0 ? ` and ${counted(more, "other")}` : "");
  }

  private swatch(unit: number): { label: string; look: string } {
    const mention = at(this.key.mention, unit);
    if (mention < 0) return { label: "−", look: "h-one" };
    const entity = at(at(this.key.side.mentions, mention), 0);
    const { label, look } = this.key.side.looks;
    return { label: at(label, entity), look: lookClass(at(look, entity)) };
  }

  /** List the mentions that units are put with, the nearest first. */
  private company(company: readonly number[] | null): string {
    if (company === null) return "not a mention";
    if (!company.length) return "alone";
    const here = this.token(at(this.units, 0));
    const far = (unit: number): number => Math.abs(this.token(unit) - here);
    return `with ${this.listed([...company].sort((one, other) => far(one) - far(other) || one - other))}`;
  }

  /** Draw the mentions of the dispute, its readings, and the possible decisions. */
  drawPanel(panel: HTMLElement, actions: PanelActions): void {
    const { group, units } = this;
    const now = companyOf(this.entity, units);
    const isLost = now?.length === 0 && !this.keepsSingletons;
    const title = group.length > 1 && units.length > 1 ? this.listed(units) : `“${this.phrase(at(units, 0))}”`;
    panel.replaceChildren(
      h(
        "p",
        { class: "about steps" },
        h("span", { class: "place" }, actions.number),
        button("‹", () => actions.go(-1), { class: "plain", "aria-label": "Previous dispute", title: "Previous dispute (k)" }),
        button("›", () => actions.go(1), { class: "plain", "aria-label": "Next dispute", title: "Next dispute (j)" }),
      ),
      h("h2", { dir: "auto" }, title),
      h("p", { class: "about", dir: "auto" }, actions.place),
      ...(group.length > 1 ? [this.mentionChoice(actions)] : []),
      h("h3", {}, "Readings"),
      h("ol", { class: "readings" }, ...this.readings.map((reading, place) => this.readingItem(reading, place, actions))),
      h("h3", {}, "In the key now"),
      this.action("Enter", this.company(now), () => actions.decide("keep"), "Keep as it is: "),
      ...(isLost ? [h("p", { class: "about" }, "No annotator has entities with one mention, so convert leaves it out.")] : []),
      h("h3", {}, "Or"),
      this.action("m", "Merge with another entity…", actions.merge),
      this.action("s", "Split: an entity of their own", () => actions.decide("split")),
      this.action("d", "Drop: leave out of the key", () => actions.decide("drop")),
      this.action("u", "Undecidable: keep the majority's reading", () => actions.decide("undecidable")),
      h("p", { class: `outcome ${actions.status}` }, actions.decided.length ? `${actions.status}: ${actions.decided.join("; ")}.` : "open"),
    );
    panel.scrollTop = 0;
  }

  private readingItem(reading: Reading, place: number, actions: PanelActions): HTMLElement {
    const names = reading.annotators.map((annotator) => at(this.names, annotator)).join(", ");
    const item = this.action(place < 9 ? String(place + 1) : "", this.company(reading.company), () =>
      actions.take(at(reading.annotators, 0)),
    );
    item.prepend(h("strong", { dir: "auto" }, names));
    return h("li", {}, item);
  }

  private action(key: string, label: string, run: () => void, hidden = ""): HTMLButtonElement {
    const made = button("", run, { class: "decide" });
    made.append(h("span", { dir: "auto" }, hidden && h("span", { class: "unseen" }, hidden), label), key && h("kbd", {}, key));
    return made;
  }

  /** Let a decision be about all mentions of the group, or about one. */
  private mentionChoice({ choose }: PanelActions): HTMLElement {
    const { group, units } = this;
    const chip = (label: string, unit: number | null): HTMLElement =>
      button(label, () => choose(unit), {
        class: "chip",
        dir: "auto",
        "aria-pressed": String(unit === null ? units.length > 1 : units.length === 1 && units[0] === unit),
      });
    const most = 12;
    const more = group.length > most ? [h("small", {}, `and ${counted(group.length - most, "other")}: ] and [`)] : [];
    return h(
      "div",
      { class: "group" },
      h("p", { class: "about" }, "Everyone treats these mentions alike. Decide about"),
      h("p", {}, chip("all of them", null), ...group.slice(0, most).map((unit) => chip(this.phrase(unit), unit)), ...more),
    );
  }

  /** Draw the text around the dispute: in columns, or as the key or one annotator has it. */
  drawText(holder: HTMLElement, column: number, show: (column: number) => void): void {
    const there = this.texts.flatMap((text, annotator) => (text ? [annotator] : []));
    const isNarrow = matchMedia("(max-width: 50rem)").matches;
    const canAll = there.length <= MOST_COLUMNS && !isNarrow;
    const shown = column > 0 && !there.includes(column - 1) ? 0 : column < 0 && !canAll ? 0 : column;
    const isAll = shown < 0;
    const annotators = isAll ? there : shown > 0 ? [shown - 1] : [];
    const texts = annotators.map((annotator) => this.texts[annotator] as Text);
    const tab = (label: string, place: number): HTMLElement =>
      button(label, () => show(place), { "aria-pressed": String(place === shown), dir: "auto" });
    const tabs = [...(canAll ? [tab("All", -1)] : []), tab("Key", 0), ...there.map((one) => tab(at(this.names, one), one + 1))];
    holder.dataset["view"] = isAll ? "all" : "key";
    holder.style.setProperty("--columns", String(texts.length + 1));
    const heads = isAll
      ? [h("div", { class: "row heads" }, h("b"), h("b", {}, "Key"), ...there.map((one) => h("b", { dir: "auto" }, at(this.names, one))))]
      : [];
    const body = h("div", { class: "block choosing" });
    holder.replaceChildren(h("p", { class: "views", role: "group", "aria-label": "What the text shows" }, ...tabs), ...heads, body);
    this.fill(body, isAll, texts, AROUND);
    body.querySelector(".chosen")?.scrollIntoView({ block: "center" });
    if (!body.querySelector(".chosen")) body.querySelector("[data-here]")?.scrollIntoView({ block: "center" });
  }

  private fill(body: HTMLElement, isAll: boolean, texts: readonly Text[], around: number): void {
    const rows = rowsOf(this.first.sentences, this.first.words.length);
    const here = this.token(at(this.units, 0));
    const present = Math.max(
      rows.findIndex(({ start, end }) => start <= here && here <= end),
      0,
    );
    const [start, end] = [Math.max(present - around, 0), Math.min(present + around + 1, rows.length)];
    const part = rows.slice(start, end);
    const text = !isAll && texts[0] ? at(texts, 0) : this.first;
    const view = isAll ? "all" : texts.length ? "response" : "key";
    const look = this.look(text, view);
    const marks = marksByRow(text, part);
    const columns = texts.map((each) => ({ look: each === text ? look : this.look(each, view), marks: each === text ? marks : marksByRow(each, part) }));
    const painted = part.map((row, place) => {
      const made = paintedRow(
        look,
        row,
        at(marks, place),
        columns.map((column) => ({ look: column.look, marks: at(column.marks, place) })),
      );
      if (start + place === present) made.dataset["here"] = "";
      return made;
    });
    const more = button("Show more of the text", () => this.fill(body, isAll, texts, around * 8), { class: "link" });
    const isPart = start > 0 || end < rows.length;
    body.replaceChildren(...painted, ...(isPart ? [h("p", { class: "more" }, more)] : []));
  }

  private look(text: Text, view: "all" | "key" | "response"): Look {
    const chosen = [new Set<number>(), new Set<number>()] as const;
    const lit = [new Set<number>(), new Set<number>()] as const;
    const mentions: [number[], Map<number, number>] = [this.key.mention, this.mentionsOf(text)];
    for (const unit of this.units)
      for (const side of [KEY, RESPONSE] as const) {
        const mention = side ? (mentions[1].get(unit) ?? -1) : at(mentions[0], unit);
        if (mention < 0) continue;
        chosen[side].add(mention);
        for (const other of at(text.sides[side].ofEntity, text.sides[side].entityOf(mention))) lit[side].add(other);
      }
    return {
      text,
      view,
      isShown: () => true,
      isLit: (side: SideNumber, mention: number) => lit[side].has(mention),
      isChosen: (side: SideNumber, mention: number) => chosen[side].has(mention),
      signsOf: () => "",
      hitOf: (token) => (this.isDisputed(token) ? "hit" : ""),
    };
  }

  /** Find the mention of each unit that an annotator marked. */
  private mentionsOf(text: Text): Map<number, number> {
    const own = this.document.annotators[this.texts.indexOf(text)] ?? [];
    const units = own.flatMap((entity, unit) => (entity < 0 ? [] : [unit]));
    return new Map(units.map((unit, mention) => [unit, mention]));
  }

  /** Return whether a token is a word of the disputed mentions, which not all sides have marked. */
  private isDisputed(token: number): boolean {
    return this.units.some((unit) => {
      const pieces = at(this.document.mentions, unit);
      for (let place = 0; place < pieces.length; place += 2)
        if (at(pieces, place) <= token && token <= at(pieces, place + 1)) return true;
      return false;
    });
  }
}
