/** Parts of all charts: a drawing with the width of its holder, axes, and a tooltip. */

import { h, s } from "../dom";
import type { Scale } from "./scale";

export const MARGIN = { top: 12, right: 16, bottom: 40, left: 44 };

export interface Size {
  width: number;
  height: number;
}

/** Draw now, and again when the width changes. */
export function responsive(holder: HTMLElement, draw: (width: number) => void): void {
  let drawn = 0;
  const redraw = (): void => {
    const width = Math.round(holder.clientWidth);
    if (!width || Math.abs(width - drawn) < 8) return;
    drawn = width;
    draw(width);
  };
  new ResizeObserver(redraw).observe(holder);
  redraw();
}

/** Make a drawing with a description for screen readers. */
export function drawing({ width, height }: Size, label: string): SVGSVGElement {
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label });
}

const CANVAS = typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");

/** Measure a text in the font of the page. */
export function widthOf(text: string, size: number): number {
  if (!CANVAS) return text.length * size * 0.6;
  CANVAS.font = `${size}px ${getComputedStyle(document.documentElement).fontFamily}`;
  return CANVAS.measureText(text).width;
}

/** Draw both axes with their names, and lines across. */
export function axes(
  { width, height }: Size,
  x: { scale: Scale; label: string; write: (value: number) => string },
  y: { scale: Scale; label: string; write: (value: number) => string },
): SVGGElement {
  const bottom = height - MARGIN.bottom;
  const right = width - MARGIN.right;
  const group = s("g", { class: "axes" });
  for (const tick of y.scale.ticks) {
    const place = y.scale.place(tick);
    group.append(s("line", { x1: MARGIN.left, x2: right, y1: place, y2: place }));
    group.append(s("text", { x: MARGIN.left - 8, y: place + 4, "text-anchor": "end" }, y.write(tick)));
  }
  for (const tick of x.scale.ticks) {
    const place = x.scale.place(tick);
    group.append(s("line", { class: "tick", x1: place, x2: place, y1: bottom, y2: bottom + 4 }));
    const written = x.write(tick);
    // In the middle below its tick, a long label at the right end would be cut off.
    const isCut = place + widthOf(written, 12) / 2 > width;
    const [end, anchor] = isCut ? [width, "end"] : [place, "middle"];
    group.append(s("text", { x: end, y: bottom + 18, "text-anchor": anchor }, written));
  }
  group.append(s("text", { class: "name", x: right, y: height - 4, "text-anchor": "end" }, x.label));
  group.append(
    s("text", { class: "name", x: MARGIN.left, y: MARGIN.top - 2, "text-anchor": "start" }, y.label),
  );
  return group;
}

/** The tooltip next to the mouse. */
export class Hint {
  private readonly box = h("div", { class: "hint", hidden: true });

  constructor() {
    document.body.append(this.box);
  }

  show(event: MouseEvent, title: string, lines: readonly string[]): void {
    this.box.replaceChildren(h("b", {}, title), ...lines.map((line) => h("div", {}, line)));
    this.box.hidden = false;
    const left = Math.min(event.clientX + 14, window.innerWidth - this.box.offsetWidth - 8);
    const below = event.clientY + 16;
    const fits = below + this.box.offsetHeight < window.innerHeight;
    this.box.style.left = `${Math.max(left, 8)}px`;
    this.box.style.top = `${fits ? below : event.clientY - this.box.offsetHeight - 12}px`;
  }

  hide(): void {
    this.box.hidden = true;
  }
}
