/** The page on which a curator decides what annotators disagree about. */

import { contentOf, unpacked } from "../data";
import { button, byId, h } from "../dom";
import { save } from "../export";
import { type Key, listen, showDialog, showKeys } from "../keyboard";
import { at } from "../lists";
import { shortNames } from "../names";
import { count, counted } from "../numbers";
import { Scroller } from "../scroller";
import { restoreTheme, toggleTheme } from "../theme";
import { Case } from "./case";
import {
  type Data,
  type Decision,
  type Dispute,
  type DocumentData,
  type Kind,
  Record,
  type Status,
  withDecision,
} from "./decisions";
import { Labels } from "./readings";

const FILE = "decisions.json";
const SIGNS: { [status in Status]: string } = { open: "", decided: "✓", undecidable: "?" };

class Page {
  private readonly record: Record;
  private decisions: Decision[] = [];
  private readonly past: { decisions: Decision[]; dispute: number }[] = [];
  private statuses: Status[];
  private present = 0;
  /** One mention of the dispute, if a decision is to be about that one only. */
  private single: number | null = null;
  private column = -1;
  private isSaved = true;
  private readonly names: string[];
  private readonly documents = new Map<number, DocumentData>();
  private readonly labels = new Map<number, Labels>();
  private case: Case | null = null;
  private drawing: Promise<void> = Promise.resolve();

  private readonly progress = h("progress", { max: 1, "aria-label": "Decided disputes" });
  private readonly counts = h("span", { class: "place", role: "status" });
  private readonly said = h("p", { class: "unseen", role: "alert" });
  private readonly undoButton = button("Undo", () => this.undo(), { title: "Undo (z)" });
  private readonly list = new Scroller("Disputes");
  private readonly text = h("section", { class: "text", tabindex: -1, "aria-label": "Text", "data-view": "all" });
  private readonly panel = h("aside", { class: "panel open", "aria-label": "Dispute" });

  constructor(private readonly data: Data) {
    this.record = new Record(data);
    this.names = shortNames(data.documents.map(({ name }) => name));
    this.statuses = this.record.statuses([]);
    const open = h("input", { type: "file", accept: ".json,application/json", class: "unseen", "aria-label": "File of decisions", tabindex: -1 });
    open.addEventListener("change", () => {
      const file = open.files?.[0];
      open.value = "";
      if (file) void this.load(file);
    });
    const names = data.annotators.map(({ name }) => name).join(", ");
    byId("adjudication").append(
      h(
        "header",
        { class: "controls" },
        h(
          "div",
          { class: "line" },
          h("h1", { class: "adjudicated", dir: "auto", title: names }, "Adjudication ", h("small", {}, names)),
          this.progress,
          this.counts,
          h("span", { class: "filler" }),
          this.undoButton,
          button("Save decisions", () => this.save(), { title: "Save decisions (w)" }),
          button("Open…", () => open.click(), { title: "Open saved decisions (o), or drop the file on the page" }),
          open,
          button("Help", () => showKeys(this.keys()), { class: "plain", title: "Keyboard shortcuts (?)" }),
          button("◐", toggleTheme, { class: "plain", title: "Light or dark mode (t)", "aria-label": "Light or dark mode" }),
        ),
      ),
      h("div", { class: "body adjudication" }, h("nav", { "aria-label": "Disputes" }, this.list.element), this.text, this.panel),
      this.said,
    );
    listen(() => this.keys());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void this.load(file);
    });
    addEventListener("beforeunload", (event) => {
      if (!this.isSaved) event.preventDefault();
    });
    this.openKey = () => open.click();
    this.list.show(data.disputes.length, (place) => this.item(place));
    this.go(0);
  }

  private readonly openKey: () => void;

  private item(place: number): HTMLElement {
    const dispute = at(this.data.disputes, place);
    const status = at(this.statuses, place);
    const { name } = at(this.data.documents, dispute.document);
    const short = this.names[dispute.document] || name;
    const more = dispute.units.length > 1 ? ` +${count(dispute.units.length - 1)}` : "";
    const open = button("", () => this.go(place), place === this.present ? { "aria-current": "true" } : {});
    open.append(
      h("b", { class: `status ${status}`, role: "img", "aria-label": status }, SIGNS[status]),
      h("span", { class: "entry-words" }, h("bdi", {}, dispute.words), h("small", {}, more)),
    );
    return h("li", { class: "entry" }, open, h("small", { class: "entry-place", dir: "auto", title: name }, short));
  }

  /** Show a dispute. */
  private go(place: number): void {
    if (!this.data.disputes.length) {
      this.text.replaceChildren(h("p", { class: "wait" }, "The annotators agree about everything. There is nothing to decide."));
      this.panel.hidden = true;
      this.count();
      return;
    }
    this.present = Math.min(Math.max(place, 0), this.data.disputes.length - 1);
    // Enter must decide about the dispute, and not press the button that led to it.
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && focused.closest(".scroller, .panel")) focused.blur();
    this.single = null;
    this.draw();
  }

  private get dispute(): Dispute {
    return at(this.data.disputes, this.present);
  }

  /** Draw the present dispute, one after the other if texts are still being read. */
  private draw(): void {
    const asked = this.present;
    this.count();
    // Nobody decides what is not on the screen yet.
    this.case = null;
    this.panel.setAttribute("aria-busy", "true");
    this.drawing = this.drawing.then(async () => {
      if (asked === this.present) await this.drawNow();
    });
  }

  private async drawNow(): Promise<void> {
    const { dispute, present } = this;
    const document = await this.document(dispute.document);
    if (present !== this.present) return;
    const labels = this.labels.get(dispute.document) ?? new Labels();
    this.labels.set(dispute.document, labels);
    const names = this.data.annotators.map(({ name }) => name);
    const state = this.record.state(dispute.document, document, this.decisions);
    const units = this.single === null ? dispute.units : [this.single];
    this.case = new Case(document, dispute.units, units, state.entity, names, labels, this.data.keeps_singletons);
    const { name } = at(this.data.documents, dispute.document);
    this.text.dataset["dispute"] = String(present);
    this.case.drawText(this.text, this.column, (column) => this.show(column));
    this.case.drawPanel(this.panel, {
      place: `${name} · sentence ${count(this.case.sentence)}`,
      number: `Dispute ${count(present + 1)} of ${count(this.data.disputes.length)}`,
      go: (step) => this.go(present + step),
      decided: this.outcomes(dispute),
      status: at(this.statuses, present),
      take: (annotator) => this.decide("take", annotator),
      decide: (kind) => this.decide(kind),
      merge: () => this.chooseMerge(),
      choose: (unit) => this.choose(unit),
    });
    this.panel.removeAttribute("aria-busy");
  }

  private outcomes({ document, units }: Dispute): string[] {
    return this.record
      .of(document, this.decisions)
      .filter((decision) => this.record.unitsOf(document, decision).some((unit) => units.includes(unit)))
      .map((decision) => this.phrase(document, decision, units.length));
  }

  private phrase(document: number, decision: Decision, size: number): string {
    const what: { [kind in Kind]: string } = {
      take: `the reading of ${decision.annotator ?? ""} was taken`,
      merge: "merged",
      split: "split off",
      drop: "dropped",
      keep: "kept as in the key",
      undecidable: "marked as undecidable",
    };
    const said = what[decision.decision];
    if (decision.mentions.length === size) return said;
    const words = this.record.unitsOf(document, decision).map((unit) => this.case?.phrase(unit) ?? "");
    return `“${words.join("”, “")}”: ${said}`;
  }

  private async document(number: number): Promise<DocumentData> {
    const known = this.documents.get(number);
    if (known) return known;
    const read = await unpacked<DocumentData>(contentOf(`text-${number}`));
    this.documents.set(number, read);
    return read;
  }

  private count(): void {
    const { statuses } = this;
    const of = (status: Status): number => statuses.filter((each) => each === status).length;
    const [open, undecidable] = [of("open"), of("undecidable")];
    this.progress.max = Math.max(statuses.length, 1);
    this.progress.value = statuses.length - open;
    const parts = [`${count(of("decided"))} of ${counted(statuses.length, "dispute")} decided`];
    if (undecidable) parts.push(`${count(undecidable)} undecidable`);
    if (open) parts.push(`${count(open)} open`);
    this.counts.textContent = parts.join(" · ");
    this.undoButton.disabled = !this.past.length;
    for (const [place, item] of this.list.items()) {
      const fresh = this.item(place).querySelector("button");
      const old = item.querySelector("button");
      if (fresh && old) {
        old.replaceChildren(...fresh.childNodes);
        old.toggleAttribute("aria-current", place === this.present);
        if (place === this.present) old.setAttribute("aria-current", "true");
      }
    }
    this.list.reveal(this.present);
  }

  private show(column: number): void {
    this.column = column;
    this.draw();
  }

  /** Let decisions be about one mention of the dispute, or about all of them. */
  private choose(unit: number | null): void {
    this.single = unit;
    this.draw();
  }

  private stepMention(step: number): void {
    const { units } = this.dispute;
    if (units.length < 2) return;
    const places = [null, ...units];
    const next = places.indexOf(this.single) + step;
    this.choose(at(places, (next + places.length) % places.length));
  }

  private decide(kind: Kind, annotator = -1, other = -1): void {
    if (!this.case) return;
    const { dispute, present } = this;
    const units = this.single === null ? dispute.units : [this.single];
    this.past.push({ decisions: this.decisions, dispute: present });
    this.decisions = withDecision(this.decisions, this.record.decision(dispute.document, units, kind, annotator, other));
    this.isSaved = false;
    this.statuses = this.record.statuses(this.decisions);
    this.announce(`${this.dispute.words}: ${this.phrase(dispute.document, at(this.decisions, this.decisions.length - 1), units.length)}.`);
    if (at(this.statuses, present) === "open") {
      this.single = null;
      this.draw();
    } else this.next();
  }

  /** Go to the next open dispute; after the last one, stay. */
  private next(): void {
    const { statuses, present } = this;
    const places = statuses.map((_, place) => (present + 1 + place) % statuses.length);
    const open = places.find((place) => at(statuses, place) === "open");
    this.go(open ?? present);
  }

  private takeBy(number: number): void {
    const reading = this.case?.readings[number];
    if (reading) this.decide("take", at(reading.annotators, 0));
  }

  private chooseMerge(): void {
    if (!this.case) return;
    const entities = this.case.mergeable;
    const list = h("ol", { class: "merges" });
    const search = h("input", { type: "search", placeholder: "Search entities", "aria-label": "Search entities" });
    const dialog = showDialog("Merge with", search, list);
    const fill = (): void => {
      const wanted = search.value.toLowerCase();
      const matches = entities.filter(({ words }) => words.toLowerCase().includes(wanted));
      list.replaceChildren(
        ...matches.slice(0, 200).map(({ unit, label, look, words, size }) => {
          const choose = button("", () => {
            dialog.close();
            dialog.remove(); // at once, so that a second Enter does not decide the next dispute
            this.decide("merge", -1, unit);
          });
          choose.append(h("span", { class: `swatch ${look}` }, label), h("span", { class: "words", dir: "auto" }, words), h("small", {}, counted(size, "mention")));
          return h("li", {}, choose);
        }),
      );
      if (!matches.length) list.replaceChildren(h("li", {}, "The key has no other entity here."));
    };
    search.addEventListener("input", fill);
    dialog.addEventListener("keydown", (event) => {
      const buttons = [...list.querySelectorAll("button")];
      const place = buttons.indexOf(document.activeElement as HTMLButtonElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        buttons[Math.min(Math.max(place + step, 0), buttons.length - 1)]?.focus();
      } else if (event.key === "Enter" && event.target === search) {
        event.preventDefault();
        buttons[0]?.click();
      }
    });
    fill();
    search.focus();
  }

  private undo(): void {
    const last = this.past.pop();
    if (!last) return;
    this.decisions = last.decisions;
    this.isSaved = false;
    this.statuses = this.record.statuses(this.decisions);
    this.announce("The last decision was undone.");
    this.go(last.dispute);
  }

  private save(): void {
    save(FILE, this.record.written(this.decisions), "application/json");
    this.isSaved = true;
    this.announce(`${counted(this.decisions.length, "decision")} saved as ${FILE}.`);
  }

  private async load(file: File): Promise<void> {
    try {
      const decisions = this.record.read(await file.text());
      this.past.push({ decisions: this.decisions, dispute: this.present });
      this.decisions = decisions;
    } catch (error) {
      showDialog("This file cannot be opened", h("p", {}, error instanceof Error ? error.message : String(error)));
      return;
    }
    this.isSaved = true;
    this.statuses = this.record.statuses(this.decisions);
    this.announce(`${counted(this.decisions.length, "decision")} opened.`);
    const open = this.statuses.indexOf("open");
    this.go(open < 0 ? 0 : open);
  }

  private announce(text: string): void {
    this.said.textContent = text;
  }

  private keys(): Key[] {
    const key = (keys: string[], meaning: string, run: () => void): Key => ({ keys, meaning, run });
    const readings = (this.case?.readings ?? []).slice(0, 9);
    const columns = this.data.annotators.length + 1;
    return [
      ...readings.map(({ annotators }, place) => {
        const names = annotators.map((one) => at(this.data.annotators, one).name).join(", ");
        return key([String(place + 1)], `take the reading of ${names}`, () => this.takeBy(place));
      }),
      key(["Enter"], "keep as it is in the key", () => this.decide("keep")),
      key(["m"], "merge with another entity", () => this.chooseMerge()),
      key(["s"], "split: make an entity of their own", () => this.decide("split")),
      key(["d"], "drop: leave out of the key", () => this.decide("drop")),
      key(["u"], "mark as undecidable", () => this.decide("undecidable")),
      key(["z"], "undo", () => this.undo()),
      key(["j", "ArrowDown"], "next dispute", () => this.go(this.present + 1)),
      key(["k", "ArrowUp"], "previous dispute", () => this.go(this.present - 1)),
      key(["n"], "next open dispute", () => this.next()),
      key(["]"], "next mention of the dispute", () => this.stepMention(1)),
      key(["["], "previous mention of the dispute", () => this.stepMention(-1)),
      key(["v"], "show all side by side, the key, or one annotator", () => this.show(((this.column + 2) % (columns + 1)) - 1)),
      key(["w"], "save decisions", () => this.save()),
      key(["o"], "open saved decisions", () => this.openKey()),
      key(["t"], "light or dark mode", toggleTheme),
      key(["?"], "keyboard shortcuts", () => showKeys(this.keys())),
    ].filter(({ keys }) => this.data.disputes.length || ["t", "?", "o", "w"].includes(at(keys, 0)));
  }
}

restoreTheme();
new Page(JSON.parse(contentOf("data")) as Data);
