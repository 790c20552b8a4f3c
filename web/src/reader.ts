/** The view of one document: its text, its controls, and the selection. */

import { Bar } from "./bar";
import { type Chain, chainOf } from "./chain";
import { h } from "./dom";
import { signOf, stepFrom } from "./errors";
import { shownErrors, shownMentions } from "./filter";
import type { Key } from "./keyboard";
import { at } from "./lists";
import type { Look } from "./paint";
import { Pane } from "./pane";
import { Panel } from "./panel";
import { Rail } from "./rail";
import { Searchable } from "./search";
import { ofSystem, type SideNames, sideNames } from "./sides";
import type { Known } from "./catalogue";
import type { Place, State, View } from "./state";
import { say } from "./terms";
import type { Text } from "./text";
import { Verdicts } from "./verdicts";
import type { Listed } from "./walk";
import { KEY, type Pair, type Report, RESPONSE, type SideNumber } from "./types";

export interface Outside {
  /** Returns whether the document is opened again. */
  change: (change: Partial<State>, isNew?: boolean) => boolean;
  showKeys: () => void;
  showLegend: () => void;
  turnTheme: () => void;
  /** Where an error is in the filtered list of the report, if the text view steps through it. */
  listed: (error: number | null) => Listed | null;
  /** Return the next or previous error of this list. */
  stepListed: (step: 1 | -1) => { document: number; error: number } | null;
  /** What the report knows about an error of a text; null if it has no list of errors. */
  know: (text: Text, number: number) => Known | null;
}

/** A document with the response of one system, and with those of systems next to it. */
export interface Opened {
  text: Text;
  /** The systems that are side by side, in their order. */
  columns: readonly Text[];
  /** The system that this one is compared with. */
  beside: Text | null;
}

const NARROW = "(max-width: 50rem)";

export class Reader {
  readonly element = h("div", { class: "reader" });
  private readonly pane: Pane;
  private readonly panel: Panel;
  private readonly rail: Rail;
  private readonly bar: Bar;
  private readonly names: SideNames;
  private words: Searchable | null = null;
  private readonly said = h("p", { class: "unseen", "aria-live": "polite" });
  private readonly height = new ResizeObserver(() => {
    this.element.style.setProperty("--bar", `${this.bar.height}px`);
  });
  private chain: Chain | null = null;
  private error = -1;
  private errors: number[] = [];
  private hits: Pair[] = [];
  private hit = -1;
  private searchedFrom = 0;

  private readonly text: Text;
  private readonly columns: readonly Text[];
  private readonly verdicts: Verdicts | null;

  constructor(
    private readonly report: Report,
    opened: Opened,
    private state: State,
    private readonly outside: Outside,
  ) {
    const { text } = opened;
    this.text = text;
    this.columns = opened.columns;
    this.verdicts = opened.beside && new Verdicts(text, opened.beside);
    this.follow(state);
    const names = opened.columns.map(({ system }) => report.systems[system]?.name ?? "");
    this.names = sideNames(report, text.system);
    ofSystem(this.element, text.system);
    this.pane = new Pane(...this.looks(), [this.names.titles[KEY], ...names]);
    this.panel = new Panel(text, report.kinds, this.names, {
      choose: (place) => this.choose(place, true),
      chooseEntity: (place) => this.chooseEntity(place),
      only: (entity) => this.change({ entity }),
      close: () => this.close(),
      know: (error) => outside.know(text, error.number),
    });
    this.rail = new Rail(text.words.length, (token) => this.pane.reveal(token));
    this.bar = new Bar(report, text, state, {
      ...outside,
      change: (change) => this.change(change),
      stepError: (step) => this.stepError(step),
      search: (query, step) => this.search(query, step),
    });
    this.element.append(
      this.bar.element,
      h("div", { class: "body" }, this.pane.element, this.panel.element, this.rail.element),
      this.said,
    );
    this.pane.element.addEventListener("click", (event) => this.clicked(event));
  }

  /** Draw the text after the element was added to the page: from a token on, or at the selection. */
  start(token: number | null): void {
    this.height.observe(this.bar.element);
    this.pane.start();
    this.update();
    const { mention } = this.state;
    if (token !== null) this.pane.reveal(token, "start");
    else if (!mention && this.error >= 0) this.goToError(this.error);
    else if (mention && this.isThere(mention))
      this.pane.reveal(this.text.sides[mention.side].firstToken(mention.number));
    else if (this.hits[0]) this.pane.reveal(this.hits[0][0]);
  }

  /** Return the first token on the screen. */
  topToken(): number {
    return this.pane.topToken();
  }

  /** Draw the panel again after a mark was changed. */
  redrawPanel(): void {
    this.showPanel();
  }

  stop(): void {
    this.height.disconnect();
    this.pane.stop();
    this.rail.stop();
  }

  drawAll(): void {
    this.pane.drawAll();
  }

  /** Redraw what has colours of its own. */
  recolour(): void {
    this.rail.draw();
  }

  keys(): Key[] {
    return [
      { keys: ["n", "j"], meaning: `next ${say().error}`, run: () => this.stepError(1) },
      { keys: ["p", "k"], meaning: `previous ${say().error}`, run: () => this.stepError(-1) },
      { keys: ["ArrowRight"], meaning: "next mention", run: () => this.stepMention(1, false) },
      { keys: ["ArrowLeft"], meaning: "previous mention", run: () => this.stepMention(-1, false) },
      { keys: ["."], meaning: "next mention of this entity", run: () => this.stepMention(1, true) },
      { keys: [","], meaning: "previous mention of this entity", run: () => this.stepMention(-1, true) },
      { keys: ["x"], meaning: "matching mention on the other side", run: () => this.cross() },
      { keys: ["v"], meaning: "side by side or overlaid", run: () => this.turnView() },
      { keys: ["/"], meaning: "search", run: () => this.bar.focusSearch() },
      { keys: ["]"], meaning: "next document", run: () => this.bar.stepDocument(1) },
      { keys: ["["], meaning: "previous document", run: () => this.bar.stepDocument(-1) },
      {
        keys: ["Escape"],
        meaning: "clear the selection, then close the document",
        run: () => this.escape(),
      },
    ];
  }

  private change(asked: Partial<State>): void {
    // A filter of the text view is about the errors of this document.
    const isFilter = Boolean(asked.kinds?.length || asked.className || asked.verdict || asked.entity);
    const change = isFilter || "document" in asked ? { listed: false, ...asked } : asked;
    if (this.outside.change(change, "document" in change)) return;
    this.state = { ...this.state, ...change };
    this.follow(this.state);
    this.update();
  }

  private follow(state: State): void {
    const { mention, query } = state;
    if (mention && this.isThere(mention)) {
      const number = this.text.sides[mention.side].entityOf(mention.number);
      if (this.chain?.side !== mention.side || this.chain.entity !== number)
        this.chain = chainOf(this.text, { side: mention.side, number });
    }
    if (!mention && !state.entity) this.chain = null;
    if (state.entity && !this.chain) this.chain = chainOf(this.text, state.entity);
    this.errors = shownErrors(this.text, state, this.verdicts);
    const error = this.text.placeOf(state.error);
    this.error = this.errors.includes(error) ? error : -1;
    this.hits = query ? (this.words ??= new Searchable(this.text.words)).find(query) : [];
    if (this.hit >= this.hits.length) this.hit = -1;
  }

  private isThere(place: Place): boolean {
    return place.number < this.text.sides[place.side].size;
  }

  private update(): void {
    this.pane.element.classList.toggle("choosing", this.chain !== null);
    this.pane.redraw(...this.looks());
    this.updateBar();
    this.showPanel();
    this.rail.show({
      errors: this.errors.map((number) => at(this.text.errors, number).token),
      chain: this.chain ? this.litTokens(this.chain) : [],
      hits: this.hits.map(([first]) => first),
    });
  }

  private updateBar(): void {
    this.bar.update(this.state, {
      errors: this.errors.length,
      error: this.errors.indexOf(this.error),
      listed: this.outside.listed(this.state.error),
      hits: this.hits.length,
      hit: this.hit,
    });
  }

  private litTokens(chain: Chain): number[] {
    return chain.lit.flatMap((mentions, side) =>
      [...mentions].map((mention) => at(this.text.sides, side).firstToken(mention)),
    );
  }

  private showPanel(): void {
    const { chain, state, text } = this;
    if (!chain) return this.panel.showEntities();
    const place = state.mention && this.isThere(state.mention) ? state.mention : null;
    this.panel.show({ place, chain, error: text.errors[this.error] ?? null, isOnly: state.entity !== null });
  }

  /** Describe how the document is drawn, and each of the responses side by side. */
  private looks(): [Look, Look[]] {
    const look = this.look();
    return [look, this.columns.map((text) => (text === this.text ? look : this.lookOf(text, look)))];
  }

  /** Draw another response, and highlight what is aligned to the same mentions of the key. */
  private lookOf(text: Text, look: Look): Look {
    const isLit = (_: SideNumber, mention: number): boolean =>
      this.chain?.lit[KEY].has(at(text.partner[RESPONSE], mention)) ?? false;
    const isShown = shownMentions(text, { ...this.state, entity: null }, this.verdicts);
    return {
      ...look,
      text,
      isLit,
      isShown: (side, mention) => isShown(side, mention) && (!this.state.entity || isLit(side, mention)),
      isChosen: () => false,
      signsOf: (side, mention) => this.signs(text, side, mention),
    };
  }

  private look(): Look {
    const { text, state } = this;
    const hits = new Set<number>();
    for (const [first, last] of this.hits) for (let token = first; token <= last; token++) hits.add(token);
    const here = this.hits[this.hit];
    const isHere = (token: number): boolean => Boolean(here && here[0] <= token && token <= here[1]);
    return {
      text,
      view: this.view(),
      isShown: shownMentions(text, state, this.verdicts),
      isLit: (side, mention) => this.chain?.lit[side].has(mention) ?? false,
      isChosen: (side, mention) => state.mention?.side === side && state.mention.number === mention,
      kinds: this.report.kinds,
      signsOf: (side, mention) => this.signs(text, side, mention),
      hitOf: (token) => (isHere(token) ? "hit here" : hits.has(token) ? "hit" : ""),
    };
  }

  private view(): View {
    return this.state.view ?? (matchMedia(NARROW).matches ? "over" : "side");
  }

  private signs(text: Text, side: SideNumber, mention: number): string {
    const { report, state } = this;
    const errors = (text.errorsOf[side].get(mention) ?? []).map((number) => at(text.errors, number));
    const shown = errors.filter((error) => !state.kinds.length || state.kinds.includes(error.kind));
    return [...new Set(shown.map((error) => signOf(report.kinds[error.kind])))].join(" ");
  }

  /** Select the mention that was clicked: the innermost one, then the one around it. */
  private clicked(event: MouseEvent): void {
    if (!(event.target instanceof Element) || getSelection()?.isCollapsed === false) return;
    let box = event.target.closest<HTMLElement>("[data-m]");
    if (!box) return;
    const { mention } = this.state;
    const chosen = mention ? nameOf(mention) : "";
    if (box.dataset["m"] === chosen) box = box.parentElement?.closest<HTMLElement>("[data-m]") ?? box;
    const place = placeOf(box);
    const system = box.closest<HTMLElement>("[data-system]")?.dataset["system"];
    if (place && system) this.change({ system: Number(system), mention: place });
    else if (place) this.choose(place, false);
  }

  private choose(place: Place, goes: boolean, error = this.error): void {
    const errors = this.text.errorsOf[place.side].get(place.number) ?? [];
    const number = errors.includes(error) ? at(this.text.errors, error).number : null;
    this.change({ mention: place, error: number });
    const token = this.text.sides[place.side].firstToken(place.number);
    if (goes) this.pane.reveal(token);
    this.pane.boxesOf(nameOf(place))[0]?.focus({ preventScroll: true });
    this.say(place);
  }

  private chooseEntity(place: Place): void {
    const first = this.text.sides[place.side].ofEntity[place.number]?.[0];
    if (first !== undefined) this.choose({ side: place.side, number: first }, true);
  }

  private close(): void {
    const { mention } = this.state;
    this.chain = null;
    this.change({ mention: null, entity: null, error: null });
    // The text keeps the focus, so that the keyboard goes on from there.
    const [box] = mention ? this.pane.boxesOf(nameOf(mention)) : [];
    (box ?? this.pane.element).focus({ preventScroll: true });
  }

  private escape(): void {
    if (this.chain || this.state.entity) this.close();
    else if (this.state.query) this.change({ query: "" });
    else if (this.state.kinds.length || this.state.className || this.state.verdict)
      this.change({ kinds: [], className: "", verdict: "" });
    else this.outside.change({ document: null }, true);
  }

  private stepError(step: 1 | -1): void {
    if (this.outside.listed(this.state.error)) return this.stepListed(step);
    const next = stepFrom(this.errors, this.text.errors, this.error, step, this.pane.topToken());
    if (next >= 0) this.goToError(next);
  }

  /** Go to the next or previous error of the filtered list, which may be in another document. */
  private stepListed(step: 1 | -1): void {
    const next = this.outside.stepListed(step);
    if (!next) return;
    if (next.document === this.state.document) return this.goToError(this.text.placeOf(next.error));
    this.outside.change({ document: next.document, error: next.error });
  }

  private goToError(place: number): void {
    const error = at(this.text.errors, place);
    const [key, response] = error.firsts;
    const isShown = shownMentions(this.text, this.state, this.verdicts);
    const side = key >= 0 && isShown(KEY, key) ? KEY : response >= 0 ? RESPONSE : KEY;
    const number = at(error.firsts, side);
    if (number >= 0) this.choose({ side, number }, true, place);
  }

  /** Go to the next or previous mention: in the text, or of the same entity. */
  private stepMention(step: 1 | -1, inEntity: boolean): void {
    const side = this.state.mention?.side ?? (this.view() === "response" ? RESPONSE : KEY);
    const found = this.text.sides[side];
    const isShown = shownMentions(this.text, this.state, this.verdicts);
    const chosen = this.state.mention?.number ?? -1;
    const all =
      inEntity && this.chain
        ? (found.ofEntity[found.entityOf(Math.max(chosen, 0))] ?? [])
        : found.data.mentions.map((_, number) => number);
    const order = all
      .filter((number) => isShown(side, number))
      .sort((a, b) => found.firstToken(a) - found.firstToken(b) || a - b);
    const place = order.indexOf(chosen);
    const top = this.pane.topToken();
    const next = place >= 0 ? order[place + step] : order.find((number) => found.firstToken(number) >= top);
    if (next !== undefined) this.choose({ side, number: next }, true);
  }

  private cross(): void {
    const { mention } = this.state;
    if (!mention) return;
    const partner = at(this.text.partner[mention.side], mention.number);
    const side: SideNumber = mention.side ? KEY : RESPONSE;
    if (partner >= 0) this.choose({ side, number: partner }, true);
  }

  private turnView(): void {
    this.change({ view: this.view() === "over" ? "side" : "over" });
  }

  private search(query: string, step: 1 | -1): void {
    if (!this.state.query) this.searchedFrom = this.pane.topToken();
    if (query !== this.state.query) {
      this.hit = -1;
      this.change({ query });
    }
    const count = this.hits.length;
    if (!count) return;
    if (this.hit < 0)
      this.hit = Math.max(
        this.hits.findIndex(([first]) => first >= this.searchedFrom),
        0,
      );
    else this.hit = (this.hit + step + count) % count;
    this.pane.redraw(...this.looks());
    this.pane.reveal(at(this.hits, this.hit)[0]);
    this.updateBar();
  }

  /** Report the selection. */
  private say({ side, number }: Place): void {
    const { text } = this;
    const label = text.labelOf(side, number);
    const partner = at(text.partner[side], number);
    const aligned = partner < 0 ? "not matched" : `matched with ${text.phrase(side ? KEY : RESPONSE, partner)}`;
    const error = text.errors[this.error];
    const wrong = error ? (this.outside.know(text, error.number)?.said ?? "") : "";
    this.said.textContent = `${this.names.titles[side]}: ${text.phrase(side, number)}, entity ${label}, ${aligned}. ${wrong}`;
  }
}

function nameOf(place: Place): string {
  return `${place.side ? "r" : "k"}${place.number}`;
}

function placeOf(box: HTMLElement): Place | null {
  const name = box.dataset["m"] ?? "";
  return name ? { side: name[0] === "r" ? 1 : 0, number: Number(name.slice(1)) } : null;
}
