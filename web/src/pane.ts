/** The text on the screen: blocks are drawn when they come near, and removed later. */

import type { Mark } from "./drawing";
import { h } from "./dom";
import { at, countUpTo } from "./lists";
import { type Column, type Look, paintedRow } from "./paint";
import { blocksOf, marksByRow, type Row, rowsOf } from "./rows";
import type { Text } from "./text";

const NEAR = "1200px 0px";
const LETTER = 8.4;
const LINE = 36;
const PRINTED = 30_000;

interface Block {
  element: HTMLElement;
  first: number;
  last: number;
  isDrawn: boolean;
  letters: number;
}

export class Pane {
  readonly element = h("div", {
    class: "text",
    tabindex: 0,
    role: "group",
    "aria-label": "Text with mentions",
  });
  readonly rows: Row[];
  private readonly marks: Map<Text, Mark[][]>;
  private readonly heads = h("div", { class: "row heads", "aria-hidden": "true" });
  private readonly starts: number[];
  private readonly blocks: Block[];
  private readonly byElement: Map<Element, Block>;
  private readonly observer: IntersectionObserver;

  /** Columns are the responses side by side. */
  constructor(
    private look: Look,
    private columns: readonly Look[],
    private readonly names: readonly string[],
  ) {
    const { text } = look;
    this.rows = rowsOf(text.sentences, text.words.length);
    this.starts = this.rows.map((row) => row.start);
    const texts = new Set([text, ...columns.map((column) => column.text)]);
    this.marks = new Map([...texts].map((each) => [each, marksByRow(each, this.rows)]));
    this.heads.append(h("span"), ...names.map((name) => h("b", { dir: "auto" }, name)));
    this.element.style.setProperty("--columns", String(columns.length + 1));
    const firsts = blocksOf(this.rows);
    this.blocks = firsts.map((first, place) =>
      this.block(first, (firsts[place + 1] ?? this.rows.length) - 1),
    );
    this.byElement = new Map(this.blocks.map((block) => [block.element, block]));
    this.element.append(...this.blocks.map((block) => block.element));
    this.observer = new IntersectionObserver((entries) => this.passed(entries), { rootMargin: NEAR });
    this.setView();
  }

  /** Start drawing after the element was added to the page. */
  start(): void {
    this.estimate(this.blocks);
    for (const block of this.blocks) this.observer.observe(block.element);
  }

  stop(): void {
    this.observer.disconnect();
  }

  /** Redraw what is on the screen. */
  redraw(look: Look, columns: readonly Look[]): void {
    const changed = look.view !== this.look.view;
    const place = changed ? this.topToken() : -1;
    this.look = look;
    this.columns = columns;
    this.setView();
    if (changed) this.estimate(this.blocks.filter((block) => !block.isDrawn));
    for (const block of this.blocks) if (block.isDrawn) this.draw(block);
    if (place > 0) this.reveal(place, "start");
  }

  /** Scroll to a token. */
  reveal(token: number, where: ScrollLogicalPosition = "center"): void {
    const row = countUpTo(this.starts, token) - 1;
    const place = this.blocks.findIndex((block) => block.first <= row && row <= block.last);
    for (const block of this.blocks.slice(Math.max(place - 1, 0), place + 2))
      if (!block.isDrawn) this.draw(block);
    const block = this.blocks[place];
    const element = block?.element.children[row - block.first];
    element?.scrollIntoView({ block: where });
  }

  /** Return the elements of a mention. */
  boxesOf(name: string): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>(`.cell:not([data-system]) [data-m="${name}"]`)];
  }

  /** Return the first token on the screen. */
  topToken(): number {
    const top = Number.parseFloat(getComputedStyle(this.element).scrollMarginTop) || 0;
    const block = this.blocks.find((each) => each.element.getBoundingClientRect().bottom > top);
    if (!block) return 0;
    const rows = [...block.element.children];
    const seen = rows.findIndex((row) => row.getBoundingClientRect().bottom > top);
    return at(this.starts, block.first + Math.max(seen, 0));
  }

  /** Draw the whole text for printing, unless it is too long. */
  drawAll(): void {
    if (this.look.text.words.length <= PRINTED)
      for (const block of this.blocks) if (!block.isDrawn) this.draw(block);
  }

  private setView(): void {
    this.element.dataset["view"] = this.look.view;
    if (this.look.view === "all") this.element.prepend(this.heads);
    else this.heads.remove();
  }

  private block(first: number, last: number): Block {
    const { words } = this.look.text;
    const end = at(this.rows, last).end;
    let letters = 0;
    for (let token = at(this.rows, first).start; token <= end; token++)
      letters += (words[token]?.length ?? 0) + 1;
    return { element: h("div", { class: "block" }), first, last, isDrawn: false, letters };
  }

  private passed(entries: readonly IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      const block = this.byElement.get(entry.target);
      if (!block) continue;
      if (entry.isIntersecting && !block.isDrawn) this.draw(block);
      else if (!entry.isIntersecting && block.isDrawn) this.clear(block);
    }
  }

  private draw(block: Block): void {
    const rows: HTMLElement[] = [];
    for (let number = block.first; number <= block.last; number++) {
      const columns = this.columns.map((look): Column => ({ look, marks: this.marksOf(look, number) }));
      const row = paintedRow(this.look, at(this.rows, number), this.marksOf(this.look, number), columns);
      if (this.look.view === "all") this.name(row);
      rows.push(row);
    }
    block.element.replaceChildren(...rows);
    block.element.style.minHeight = "";
    block.isDrawn = true;
  }

  /** Name the texts of a row, which narrow screens show one below the other. */
  private name(row: HTMLElement): void {
    row.querySelectorAll<HTMLElement>(".cell").forEach((cell, place) => (cell.dataset["name"] = this.names[place] ?? ""));
  }

  private marksOf({ text }: Look, row: number): Mark[] {
    return this.marks.get(text)?.[row] ?? [];
  }

  private clear(block: Block): void {
    block.element.style.minHeight = `${block.element.offsetHeight}px`;
    block.element.replaceChildren();
    block.isDrawn = false;
  }

  /** Reserve about as much space as blocks will need. */
  private estimate(blocks: readonly Block[]): void {
    const columns = { side: 2, all: this.columns.length + 1 }[this.look.view as string] ?? 1;
    const width = Math.max(this.element.clientWidth / columns, 200);
    for (const block of blocks) {
      const rows = block.last - block.first + 1;
      const lines = Math.max((block.letters * LETTER) / width + rows / 2, rows);
      block.element.style.minHeight = `${Math.round(lines * LINE)}px`;
    }
  }
}
