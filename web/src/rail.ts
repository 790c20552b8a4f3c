/** A strip at the edge with the places of errors, of the selected entity and of search hits in the whole text. */

import { h } from "./dom";

export interface Ticks {
  errors: number[];
  chain: number[];
  hits: number[];
}

const WIDTH = 12;

export class Rail {
  readonly element = h("canvas", { class: "rail", width: WIDTH, "aria-hidden": "true" });
  private ticks: Ticks = { errors: [], chain: [], hits: [] };
  private readonly observer = new ResizeObserver(() => this.draw());

  constructor(
    private readonly tokens: number,
    go: (token: number) => void,
  ) {
    this.element.addEventListener("click", (event) => {
      const box = this.element.getBoundingClientRect();
      go(Math.floor(((event.clientY - box.top) / box.height) * tokens));
    });
    this.observer.observe(this.element);
  }

  stop(): void {
    this.observer.disconnect();
  }

  show(ticks: Ticks): void {
    this.ticks = ticks;
    this.draw();
  }

  draw(): void {
    const height = this.element.clientHeight;
    const context = this.element.getContext("2d");
    if (!context || !height) return;
    const zoom = window.devicePixelRatio || 1;
    this.element.width = WIDTH * zoom;
    this.element.height = height * zoom;
    context.scale(zoom, zoom);
    const style = getComputedStyle(this.element);
    const paint = (tokens: readonly number[], colour: string, left: number, width: number): void => {
      context.fillStyle = style.getPropertyValue(colour);
      const seen = new Set<number>();
      for (const token of tokens) {
        const top = Math.round((token / Math.max(this.tokens, 1)) * (height - 2));
        if (!seen.has(top)) context.fillRect(left, top, width, 2);
        seen.add(top);
      }
    };
    paint(this.ticks.errors, "--wrong", 7, 5);
    paint(this.ticks.chain, "--accent", 0, 6);
    paint(this.ticks.hits, "--found", 0, 12);
  }
}
