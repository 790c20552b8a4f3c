/** The page. Its address holds the selection, from which everything is drawn. */

import { ErrorBrowser, printedTooSoon } from "./browser";
import { readErrors, readReport } from "./data";
import { EntityView } from "./entities";
import { markCut } from "./cut";
import { offerExports } from "./export";
import { byId, h, whileBusy } from "./dom";
import { Catalogue } from "./catalogue";
import { type Key, listen, showKeys } from "./keyboard";
import { showLegend } from "./legend";
import { Library } from "./library";
import { shortNames } from "./names";
import { Overview } from "./overview";
import { type Opened, Reader } from "./reader";
import { linkSections } from "./sections";
import { settled, textsOf } from "./settled";
import { nameSides } from "./sides";
import { findSpots, spotsOf } from "./spots";
import { nameDocuments, NOTHING, problemOf, read, type State, written } from "./state";
import { Story } from "./story";
import { helpOnReport, helpOnText, say, speakOf } from "./terms";
import type { Text } from "./text";
import { restoreTheme, toggleTheme } from "./theme";
import type { Report } from "./types";
import { Walk, nameOfList } from "./walk";
import { ALL, isNarrow, type Wanted } from "./wanted";

/** The selection that is cleared when another document is opened. */
const CLOSED = { mention: null, entity: null, error: null, spots: null, query: "", kinds: [], className: "", listed: false };

class Page {
  private state: State;
  private reader: Reader | null = null;
  private scrolled = 0;
  private readonly overview: Overview;
  private readonly holder = byId("reader");
  private readonly library: Library;
  private browser: ErrorBrowser | null = null;
  private catalogue: Promise<Catalogue> | null = null;
  private known: Catalogue | null = null;
  private walk: { address: string; walk: Walk } | null = null;
  /** Keys that were pressed before there was anything that they could act on. */
  private pressed: string[] = [];
  private readonly story: Story;
  private readonly entities: EntityView;
  private readonly notice = h("p", { class: "notice", role: "alert", hidden: true });

  constructor(private readonly report: Report) {
    nameDocuments(report.documents.map((each) => each.name));
    this.state = read(location.hash);
    this.library = new Library(report.documents);
    this.overview = new Overview(report, {
      open: (document) => this.change({ ...CLOSED, document }, true),
      choose: (system) => this.change({ system }),
      want: report.errors ? (change, system) => this.want(change, system) : null,
    });
    this.story = new Story(report, {
      open: (document) => this.change({ ...CLOSED, document }, true),
      choose: (system) => this.change({ system }),
      want: report.errors ? (...asked) => void this.wantGroup(...asked) : null,
    });
    const onEntities = { open: this.openEntity.bind(this), choose: (system: number) => void this.change({ system }) };
    this.entities = new EntityView(report, this.library, onEntities, byId("entities"));
    nameSides(report);
    linkSections();
    markCut(document.querySelectorAll<HTMLElement>(".several .scroll"));
    byId("keys").addEventListener("click", () => this.help());
    byId("legend").addEventListener("click", () => showLegend(report));
    listen(() => this.keys(), (key) => this.keep(key));
    addEventListener("hashchange", () => this.follow());
    addEventListener("beforeprint", () => this.print());
    byId("theme").addEventListener("click", () => this.turnTheme());
    document.getElementById("copy")?.addEventListener("click", copySignature);
    byId("overview").before(this.notice);
    this.warn(this.problem());
    void this.show(null);
  }

  /** List errors after the scores are on the screen. They are unpacked the first time. */
  private async browse(): Promise<void> {
    if (this.report.errors) this.listErrors(await this.readCatalogue());
  }

  /** Print the top errors, the grid, and all of the open document. */
  private print(): void {
    this.reader?.drawAll();
    this.entities.print();
    if (this.browser) this.browser.print();
    else if (this.report.errors) byId("errors").replaceChildren(h("p", { class: "caption on-paper" }, printedTooSoon(`The ${say().error}s`)));
  }

  /** List the errors of a page that was opened at a document, so that they can be printed. */
  private async listUnseen(): Promise<void> {
    if (!this.report.errors || this.browser) return;
    const catalogue = await this.readCatalogue();
    if (this.browser) return;
    this.listErrors(catalogue);
    if (this.state.document !== null) this.browser!.rest();
  }

  private listErrors(catalogue: Catalogue): void {
    if (this.browser) return this.browser.update(this.settled());
    const actions = {
      want: (change: Partial<Wanted>, system?: number, beside?: number) => this.want(change, system, beside),
      open: (document: number, error: number, system: number) => this.openError(document, error, system),
    };
    this.browser = new ErrorBrowser(this.report, catalogue, this.library, actions, byId("errors"));
    this.browser.update(this.settled());
    this.press();
  }

  /** Read the errors of all documents, once. */
  private readCatalogue(): Promise<Catalogue> {
    const redraw = (): void => {
      this.browser?.redraw();
      this.reader?.redrawPanel();
    };
    this.catalogue ??= readErrors().then((data) => (this.known = new Catalogue(this.report, data, redraw)));
    return this.catalogue;
  }

  /** Filter the errors, and scroll to them. */
  private want(change: Partial<Wanted>, system = this.state.system, beside = this.state.beside): void {
    this.change({ wanted: { ...this.state.wanted, ...change }, system, beside });
    byId("errors").scrollIntoView({ block: "start" });
  }

  /** Add export buttons to the tables and charts that were drawn. */
  private offer(): void {
    offerExports(byId("overview"));
  }

  /** Open an error of the list; if the list is filtered, the text view steps through it. */
  private openError(document: number, error: number, system: number): void {
    const { wanted, system: chosen } = this.settled();
    // Errors of the other system are listed from its own side, because the text is the one of this system.
    const isOther = system !== chosen && wanted.who === "other";
    const seen = isOther ? ({ wanted: { ...wanted, who: "only" }, beside: chosen } as const) : {};
    this.change({ ...CLOSED, document, error, system, listed: isNarrow(wanted), ...seen }, true);
  }

  /** Return the filtered list that the text view steps through. It stays as it is while texts are open. */
  private walkNow(): Walk | null {
    const state = this.settled();
    const { wanted, system, beside } = state;
    const catalogue = this.known;
    if (!state.listed || !catalogue || !isNarrow(wanted)) return null;
    const address = written({ ...NOTHING, wanted, system, beside });
    if (this.walk?.address === address) return this.walk.walk;
    const { findings, found } = catalogue.select(state);
    const rows = catalogue.sorted(findings, found.rows, wanted);
    const documents = shortNames(this.report.documents.map((each) => each.name));
    const name = nameOfList(this.report, findings, wanted, documents);
    const walk = new Walk(findings, rows, name, (document) => this.library.has(document));
    this.walk = { address, walk };
    return walk;
  }

  private openEntity(document: number, system: number, entity: number | null, mention: number | null, side: 0 | 1): void {
    const place = entity === null ? null : { side, number: entity };
    const chosen = mention === null ? null : { side, number: mention };
    this.change({ ...CLOSED, document, system, entity: place, mention: chosen }, true);
  }

  /** List the errors of a group; its class is known by its name. */
  private async wantGroup(
    change: Partial<Wanted>,
    system: number,
    className: string | null,
    beside?: number,
  ): Promise<void> {
    const { data } = await this.readCatalogue();
    const place = className === null ? -1 : data.classes.indexOf(className);
    this.want({ ...ALL, ...change, class: place < 0 ? [] : [place] }, system, beside);
    byId("errors").focus({ preventScroll: true });
  }

  /** Change the selection; returns whether a document is opened again. */
  private change(change: Partial<State>, isNew = false): boolean {
    const before = this.state;
    const isFresh = "document" in change || ("system" in change && change.system !== before.system);
    const fresh = isFresh ? { mention: null, entity: null, error: null, spots: null } : {};
    const state = { ...before, ...fresh, ...change };
    const needs = textsOf(this.report, state) !== textsOf(this.report, before);
    const isOpened = needs || state.document !== before.document;
    // A filter that was asked for before the document must not keep it from being opened.
    if (!isOpened && this.isOpening) return true;
    this.state = state;
    const hash = `#${this.address()}`;
    this.warn("");
    if (isNew) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
    if (isOpened || this.state.document === null) void this.show(before);
    return isOpened;
  }

  private follow(): void {
    const before = this.state;
    this.state = read(location.hash);
    void this.show(before);
    this.warn(this.problem());
  }

  /** Write the selection, with the places of the text if it was read. */
  private address(): string {
    const { state } = this;
    const text = state.document === null ? null : this.library.ready(state.document, this.settled().system);
    return written(state, text ? spotsOf(text, state, this.report.kinds) : state.spots);
  }

  private help(): void {
    showKeys(this.keys(), this.reader ? helpOnText() : helpOnReport(this.report));
  }

  private problem(): string {
    const { documents, systems } = this.report;
    const asked = documents[this.state.document ?? -1];
    if (asked && !asked.has_text) return `The text of document “${asked.name}” is not in this report.`;
    return problemOf(location.hash, documents.length, systems.length);
  }

  /** Show a message about the address, or remove it. */
  private warn(message: string): void {
    this.notice.textContent = message;
    this.notice.hidden = !message;
  }

  /** Find the place that the address names in a text that was just read. */
  private place(text: Text): void {
    const { spots } = this.state;
    if (!spots) return;
    const { found, lost } = findSpots(text, spots, this.report.kinds);
    this.state = { ...this.state, ...found, spots: null };
    const names = lost.map((name) => `${name} “${spots[name as keyof typeof spots]}”`).join(" and ");
    if (lost.length) this.warn(`The address names ${names}, which this document does not have.`);
  }

  /** Fill in defaults, and remove what the report does not have. */
  private settled(): State {
    return settled(this.report, this.state);
  }

  /** Show the report, or a document of it. */
  private async show(before: State | null): Promise<void> {
    const state = this.settled();
    this.overview.draw(state.system, state.beside);
    this.story.draw(state.system);
    const document = this.library.has(state.document ?? -1) ? state.document : null;
    if (before && before.document === null && document !== null) this.scrolled = scrollY;
    const top = before?.document === document ? (this.reader?.topToken() ?? null) : null;
    byId("overview").classList.toggle("behind", document !== null);
    byId("bar").hidden = document !== null;
    this.reader?.stop();
    this.reader = null;
    this.pressed = [];
    this.holder.hidden = document === null;
    if (document === null) {
      this.walk = null;
      const listed = whileBusy(byId("errors"), this.browse());
      void whileBusy(
        byId("entities"),
        listed.then(() => this.entities.draw(state.system)).then(() => this.offer()),
      );
      this.holder.replaceChildren();
      if (before && before.document !== null) scrollTo(0, this.scrolled);
      return;
    }
    this.browser?.rest();
    await whileBusy(this.holder, this.open(document, state, top));
    await this.listUnseen();
  }

  private async open(number: number, state: State, top: number | null): Promise<void> {
    const asked = this.state;
    if (top === null) this.holder.replaceChildren(h("p", { class: "wait" }, "Opening…"));
    try {
      const opened = await this.read(number, state);
      if (this.state !== asked) return;
      this.place(opened.text);
      history.replaceState(null, "", `#${this.address()}`);
      this.reader = new Reader(this.report, opened, this.settled(), {
        change: (change, isNew) => this.change(change, isNew),
        showKeys: () => this.help(),
        showLegend: () => showLegend(this.report),
        turnTheme: () => this.turnTheme(),
        listed: (error) => this.walkNow()?.at(number, error) ?? null,
        stepListed: (step) => this.walkNow()?.step(step) ?? null,
        know: (text, place) => this.known?.known(text.system, number, place) ?? null,
      });
    } catch (error) {
      this.holder.replaceChildren(
        h("p", { class: "wait" }, `This document cannot be shown: ${String(error)}`),
      );
      throw error;
    }
    const { name } = this.report.documents[number] ?? { name: "" };
    this.holder.replaceChildren(h("h1", { class: "document-title unseen", dir: "auto" }, name), this.reader.element);
    if (top === null) scrollTo(0, 0);
    this.reader.start(top);
    this.press();
  }

  private get isOpening(): boolean {
    return !this.reader && this.library.has(this.state.document ?? -1);
  }

  /** Keep a key that was pressed too early. */
  private keep(key: string): void {
    const isUnlisted = this.report.errors && !this.browser && !this.reader;
    if (this.isOpening || isUnlisted) this.pressed.push(key);
  }

  /** Do what was asked for by keys that were pressed too early. */
  private press(): void {
    const keys = this.pressed;
    this.pressed = [];
    for (const key of keys) {
      const found = this.keys().find((each) => each.keys.includes(key));
      if (found) found.run();
      else this.keep(key);
    }
  }

  /** Read a document with all systems that are shown. */
  private async read(document: number, { system, view, columns, verdict, beside }: State): Promise<Opened> {
    const read = (each: number): Promise<Text> => this.library.text(document, each);
    if (this.report.errors) await this.readCatalogue();
    return {
      text: await read(system),
      columns: view === "all" ? await Promise.all(columns.map(read)) : [],
      beside: verdict && beside !== null ? await read(beside) : null,
    };
  }

  private keys(): Key[] {
    const leave = {
      keys: ["Escape"],
      meaning: "back to the report",
      run: () => this.change({ ...CLOSED, document: null }, true),
    };
    const isOpening = !this.reader && this.state.document !== null;
    const { browser } = this;
    const search = { keys: ["/"], meaning: `search ${say().error}s`, run: () => browser?.focusSearch() };
    return [
      ...(isOpening ? [leave] : []),
      ...(this.reader?.keys() ?? (browser ? [search] : [])),
      { keys: ["t"], meaning: "light or dark mode", run: () => this.turnTheme() },
      { keys: ["l"], meaning: "legend: what colours, lines and signs mean", run: () => showLegend(this.report) },
      { keys: ["?"], meaning: "help", run: () => this.help() },
    ];
  }

  private turnTheme(): void {
    toggleTheme();
    this.reader?.recolour();
    this.entities.redraw();
  }
}

/** Copy the signature. If the browser does not allow that, select it for the reader to copy. */
function copySignature(): void {
  const signature = byId("signature");
  getSelection()?.selectAllChildren(signature);
  void navigator.clipboard?.writeText(signature.textContent ?? "").catch(() => undefined);
}

restoreTheme();
const report = readReport();
speakOf(report);
new Page(report);
