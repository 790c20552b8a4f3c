/** The page: what is looked at stands in its address, and the rest follows. */

import { ErrorBrowser } from "./browser";
import { readErrors, readReport } from "./data";
import { byId, h } from "./dom";
import { type Key, listen, showKeys } from "./keyboard";
import { showLegend } from "./legend";
import { Library } from "./library";
import { Overview } from "./overview";
import { Reader } from "./reader";
import { read, type State, written } from "./state";
import { restoreTheme, toggleTheme } from "./theme";
import type { Report } from "./types";
import type { Wanted } from "./wanted";

/** What of a document is let go of when another one is opened. */
const CLOSED = { mention: null, entity: null, error: null, query: "", kinds: [], className: "" };

class Page {
  private state: State = read(location.hash);
  private reader: Reader | null = null;
  private drawnSystem = -1;
  private scrolled = 0;
  private readonly overview: Overview;
  private readonly holder = byId("reader");
  private readonly library: Library;
  private browser: ErrorBrowser | null = null;

  constructor(private readonly report: Report) {
    this.library = new Library(report.documents);
    this.overview = new Overview(report, {
      open: (document) => this.change({ ...CLOSED, document }, true),
      choose: (system) => this.change({ system }),
      want: report.errors ? (change, system) => this.want(change, system) : null,
    });
    listen(() => this.keys());
    addEventListener("hashchange", () => this.follow(read(location.hash)));
    addEventListener("beforeprint", () => this.reader?.drawAll());
    byId("theme").addEventListener("click", () => this.turnTheme());
    document.getElementById("copy")?.addEventListener("click", copySignature);
    void this.show(null);
    if (report.errors) void this.browse();
  }

  /** Unpack the errors, now that the scores can be seen. */
  private async browse(): Promise<void> {
    const data = await readErrors();
    const actions = {
      want: (change: Partial<Wanted>) => this.want(change),
      open: (document: number, error: number, system: number) =>
        this.change({ ...CLOSED, document, error, system }, true),
    };
    this.browser = new ErrorBrowser(this.report, data, this.library, actions, byId("errors"));
    this.browser.update(this.state);
  }

  /** Narrow the errors down, and bring them into view where they stand below the rest. */
  private want(change: Partial<Wanted>, system = this.state.system): void {
    this.change({ wanted: { ...this.state.wanted, ...change }, system });
  }

  private change(change: Partial<State>, isNew = false): void {
    const before = this.state;
    const isFresh = "document" in change || ("system" in change && change.system !== before.system);
    const fresh = isFresh ? { mention: null, entity: null, error: null } : {};
    this.state = { ...before, ...fresh, ...change };
    const hash = `#${written(this.state)}`;
    if (isNew) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
    if (this.state.document !== before.document || this.state.system !== before.system)
      void this.show(before);
    else this.browser?.update(this.state);
  }

  private follow(state: State): void {
    const before = this.state;
    this.state = state;
    void this.show(before);
  }

  /** Show the report, or a document of it. */
  private async show(before: State | null): Promise<void> {
    const { state, report } = this;
    const system = Math.min(state.system, Math.max(report.systems.length - 1, 0));
    if (this.drawnSystem !== system) this.overview.draw((this.drawnSystem = system));
    const document =
      state.document !== null && report.documents[state.document]?.has_text ? state.document : null;
    if (before && before.document === null && document !== null) this.scrolled = scrollY;
    byId("overview").classList.toggle("behind", document !== null);
    this.reader?.stop();
    this.reader = null;
    this.holder.hidden = document === null;
    if (document === null) {
      this.browser?.update(state);
      this.holder.replaceChildren();
      scrollTo(0, this.scrolled);
      return;
    }
    await this.open(document, system);
  }

  private async open(number: number, system: number): Promise<void> {
    const { state } = this;
    this.holder.replaceChildren(h("p", { class: "wait" }, "Opening…"));
    try {
      const text = await this.library.text(number, system);
      if (this.state !== state) return;
      this.reader = new Reader(this.report, text, state, {
        change: (change, isNew) => this.change(change, isNew),
        showKeys: () => showKeys(this.keys()),
        showLegend: () => showLegend(this.report),
        turnTheme: () => this.turnTheme(),
      });
    } catch (error) {
      this.holder.replaceChildren(
        h("p", { class: "wait" }, `This document cannot be shown: ${String(error)}`),
      );
      throw error;
    }
    const { name } = this.report.documents[number] ?? { name: "" };
    this.holder.replaceChildren(h("h1", { class: "document-title unseen", dir: "auto" }, name), this.reader.element);
    scrollTo(0, 0);
    this.reader.start();
  }

  private keys(): Key[] {
    const leave = {
      keys: ["Escape"],
      meaning: "back to the report",
      run: () => this.change({ ...CLOSED, document: null }, true),
    };
    const isOpening = !this.reader && this.state.document !== null;
    const { browser } = this;
    const search = { keys: ["/"], meaning: "search the errors", run: () => browser?.focusSearch() };
    return [
      ...(isOpening ? [leave] : []),
      ...(this.reader?.keys() ?? (browser ? [search] : [])),
      { keys: ["t"], meaning: "light or dark", run: () => this.turnTheme() },
      { keys: ["l"], meaning: "legend: what colours, lines and signs mean", run: () => showLegend(this.report) },
      { keys: ["?"], meaning: "these keys", run: () => showKeys(this.keys()) },
    ];
  }

  private turnTheme(): void {
    toggleTheme();
    this.reader?.recolour();
  }
}

/** Copy the signature; where the browser does not let a page do that, choose it for the user to copy. */
function copySignature(): void {
  const signature = byId("signature");
  getSelection()?.selectAllChildren(signature);
  void navigator.clipboard?.writeText(signature.textContent ?? "").catch(() => undefined);
}

restoreTheme();
new Page(readReport());
