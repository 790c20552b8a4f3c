/** A list of any length that draws only the items on the screen. All items have the same height. */

import { button, h } from "./dom";
import { count } from "./numbers";

const NEAR = 6;
/** Browsers do not scroll further than about this many pixels. */
const HIGHEST = 16_000_000;
/** Items that phones show at a time; there, the page scrolls instead of the list. */
const AT_A_TIME = 15;
/** Items that are printed. */
export const PRINTED = 20;
/** Pixels of a line, by which some wheels count. */
const LINE = 20;
const PHONE = "(max-width: 40rem)";

export class Scroller {
  readonly element = h("div", { class: "scroller" });
  private readonly list = h("ol", { class: "entries" });
  private readonly drawn = new Map<number, HTMLElement>();
  /** The number of items. */
  size = 0;
  private height = 1;
  private active = 0;
  private isAwake = true;
  private hadFocus = false;
  private isPrinted = false;
  private left = 0;
  private limit = AT_A_TIME;
  private readonly more = h("p", { class: "more" });
  private readonly phone = matchMedia(PHONE);
  private paint: (place: number) => HTMLElement = () => h("li");

  constructor(label: string) {
    this.list.setAttribute("aria-label", label);
    this.element.append(this.list, this.more);
    this.phone.addEventListener("change", () => this.measure());
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    this.shareWheel();
    this.element.addEventListener("keydown", (event) => this.step(event));
    addEventListener("afterprint", () => this.endPrint());
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  /** Let the wheel move the page, unless all of the list is on the screen and the pointer was moved within it. */
  private shareWheel(): void {
    let isPointedAt = false;
    addEventListener("scroll", () => (isPointedAt = false), { passive: true });
    this.element.addEventListener("pointermove", () => (isPointedAt = true), { passive: true });
    const turned = (event: WheelEvent): void => {
      const { top, bottom } = this.element.getBoundingClientRect();
      const isWhole = top >= 0 && bottom <= innerHeight;
      if (this.phone.matches || event.ctrlKey || event.shiftKey || (isPointedAt && isWhole)) return;
      event.preventDefault();
      scrollBy({ top: event.deltaY * (event.deltaMode ? LINE : 1), behavior: "instant" });
    };
    this.element.addEventListener("wheel", turned, { passive: false });
  }

  /** Show this many items, from the first one on. */
  show(size: number, paint: (place: number) => HTMLElement): void {
    this.size = size;
    this.limit = AT_A_TIME;
    this.paint = paint;
    this.active = 0;
    this.isAwake = true;
    this.clear();
    this.element.scrollTop = 0;
    this.measure();
  }

  /** Show again what an action shows, at the same place. */
  again(show: () => void): void {
    const { scrollTop } = this.element;
    const { active, limit } = this;
    show();
    this.active = Math.min(active, Math.max(this.size - 1, 0));
    this.limit = limit;
    this.clear();
    this.measure();
    this.element.scrollTop = scrollTop;
    this.draw();
  }

  /** Return the items that are drawn, with their places. */
  items(): Iterable<[number, HTMLElement]> {
    return this.drawn;
  }

  /** Bring an item into view. */
  reveal(place: number): void {
    const top = place * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.element.scrollTop = top + this.height - clientHeight;
  }

  /** Draw nothing for a while. */
  rest(): void {
    if (!this.isAwake) return;
    const focused = [...this.drawn].find(([, item]) => item.contains(document.activeElement))?.[0];
    this.hadFocus = focused !== undefined;
    this.active = focused ?? this.active;
    this.left = this.element.scrollTop;
    this.isAwake = false;
    this.clear();
  }

  /** Draw again where it was left, with the focus that it had. */
  wake(): void {
    if (this.isAwake) return;
    this.isAwake = true;
    this.measure();
    this.element.scrollTop = this.left;
    this.draw();
    if (this.hadFocus) this.focus(this.active);
  }

  /** Draw the first items, wherever the list was scrolled to; after printing, those on the screen. */
  print(): void {
    this.isPrinted = true;
    const drawn = new Map(this.drawn);
    this.clear();
    for (let place = 0; place < Math.min(PRINTED, this.size); place++) {
      const item = drawn.get(place) ?? this.item(place);
      this.drawn.set(place, item);
      this.list.append(item);
    }
  }

  private endPrint(): void {
    if (!this.isPrinted) return;
    this.isPrinted = false;
    this.clear();
    this.draw();
  }

  private clear(): void {
    this.drawn.clear();
    this.list.replaceChildren();
  }

  /** Measure the height of the first item, which depends on fonts and on the width. */
  private measure(): void {
    if (this.isPrinted) return;
    if (!this.size) this.list.style.height = "0";
    if (!this.isAwake || !this.size || !this.element.clientWidth) return this.more.replaceChildren();
    if (!this.phone.matches && !this.element.clientHeight) return;
    const probe = this.drawn.get(0) ?? this.item(0);
    if (!probe.isConnected) this.list.append(probe);
    this.height = Math.max(probe.offsetHeight, 1);
    if (!this.drawn.has(0)) probe.remove();
    this.list.style.height = `${Math.min(this.shown * this.height, HIGHEST)}px`;
    this.offerMore();
    for (const [place, item] of this.drawn) this.put(item, place);
    this.draw();
  }

  /** The number of items that can be reached by scrolling. */
  private get shown(): number {
    return this.phone.matches ? Math.min(this.limit, this.size) : this.size;
  }

  private offerMore(): void {
    const left = this.size - this.shown;
    const show = (): void => {
      this.limit += 2 * AT_A_TIME;
      this.measure();
    };
    this.more.replaceChildren(...(left > 0 ? [button(`Show more (${count(left)} left)`, show)] : []));
  }

  private draw(): void {
    if (!this.isAwake || this.isPrinted) return;
    const { scrollTop, clientHeight } = this.element;
    const isPaged = this.phone.matches;
    const first = isPaged ? 0 : Math.max(Math.floor(scrollTop / this.height) - NEAR, 0);
    const end = isPaged ? this.shown : Math.ceil((scrollTop + clientHeight) / this.height) + NEAR;
    const last = Math.min(end, this.size) - 1;
    for (const [place, item] of this.drawn) {
      if (place >= first && place <= last) continue;
      item.remove();
      this.drawn.delete(place);
    }
    // What is kept is in one piece, so that the rest is before it or behind it.
    const kept = this.list.firstElementChild;
    const from = Math.min(...this.drawn.keys());
    for (let place = first; place <= last; place++) {
      if (this.drawn.has(place)) continue;
      const item = this.item(place);
      this.drawn.set(place, item);
      this.list.insertBefore(item, place < from ? kept : null);
    }
  }

  private item(place: number): HTMLElement {
    const item = this.paint(place);
    item.setAttribute("aria-posinset", String(place + 1));
    item.setAttribute("aria-setsize", String(this.size));
    const inner = item.querySelector("button");
    if (inner) inner.tabIndex = place === this.active ? 0 : -1;
    this.put(item, place);
    return item;
  }

  private put(item: HTMLElement, place: number): void {
    item.style.transform = `translateY(${place * this.height}px)`;
  }

  /** Go to the next or previous item by the arrow keys. */
  private step(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    const target = event.target instanceof Element ? event.target.closest("li") : null;
    const present = [...this.drawn].find(([, item]) => item === target)?.[0];
    if (!step || present === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.focus(Math.min(Math.max(present + step, 0), this.size - 1));
  }

  private focus(place: number): void {
    const old = this.drawn.get(this.active)?.querySelector("button");
    if (old) old.tabIndex = -1;
    this.active = place;
    this.reveal(place);
    this.draw();
    const chosen = this.drawn.get(place)?.querySelector("button");
    if (!chosen) return;
    chosen.tabIndex = 0;
    chosen.focus({ preventScroll: true });
  }
}
