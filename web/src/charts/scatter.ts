/** Points with names, which are shown on hover. */

import { s } from "../dom";
import { at } from "../lists";
import type { Pair } from "../types";
import { axes, drawing, type Hint, MARGIN, type Size } from "./frame";
import type { Scale } from "./scale";

export interface Point {
  x: number;
  y: number;
  name: string;
  lines: string[];
  open: { once: (() => void) | null; twice: (() => void) | null };
}

/** A point with its name beside it, such as a whole system. */
export interface Landmark {
  x: number;
  y: number;
  name: string;
  look: number;
}

export interface Axis {
  label: string;
  write: (value: number) => string;
  scale: (range: Pair) => Scale;
}

export interface Scatter {
  label: string;
  x: Axis;
  y: Axis;
  points: Point[];
  /** The colour of points. */
  look: number;
  landmarks: Landmark[];
  curves: { name: string; places: Pair[] }[];
}

const REACH = 18;
const LETTER = 7;
const ASIDE = 11;
/** The width of a curve's name. */
const NAMED = 44;

/** Draw points. The one nearest to the mouse is selected. */
export function scatter(chart: Scatter, size: Size, hint: Hint): SVGSVGElement {
  const svg = drawing(size, chart.label);
  const x = chart.x.scale([MARGIN.left, size.width - MARGIN.right]);
  const y = chart.y.scale([size.height - MARGIN.bottom, MARGIN.top + 10]);
  svg.append(axes(size, { ...chart.x, scale: x }, { ...chart.y, scale: y }));
  for (const { name, places } of chart.curves) {
    const last = places[places.length - 1];
    // There is no room for the name of a curve that only touches a corner.
    if (!last || x.place(last[0]) < MARGIN.left + NAMED) continue;
    svg.append(
      s("polyline", {
        class: "curve",
        points: places.map(([a, b]) => `${x.place(a).toFixed(1)},${y.place(b).toFixed(1)}`).join(" "),
      }),
    );
    // A curve that leaves the drawing below its right end has its name at the bottom.
    const [right, bottom] = [x.place(last[0]), y.place(last[1]) - 4];
    svg.append(s("text", { class: "curve-name", x: right, y: bottom, "text-anchor": "end" }, name));
  }
  const radius = chart.points.length > 1500 ? 2 : chart.points.length > 300 ? 3 : 4;
  const dots = chart.points.map((point) =>
    s("circle", {
      class: `dot h${chart.look}`,
      cx: x.place(point.x).toFixed(1),
      cy: y.place(point.y).toFixed(1),
      r: radius,
    }),
  );
  const names = apart(
    chart.landmarks.map((mark) => y.place(mark.y)),
    15,
  );
  svg.append(...dots, ...chart.landmarks.map((mark, place) => landmark(mark, x, y, at(names, place), size)));
  follow(svg, chart, dots, hint, (point) => [x.place(point.x), y.place(point.y)]);
  return svg;
}

function landmark(mark: Landmark, x: Scale, y: Scale, name: number, size: Size): SVGGElement {
  const [left, top] = [x.place(mark.x), y.place(mark.y)];
  const room = [left - ASIDE, size.width - left - ASIDE] as const;
  const atEnd = room[1] < mark.name.length * LETTER && room[0] > room[1];
  return s(
    "g",
    { class: `landmark h${mark.look}`, transform: `translate(${left.toFixed(1)} ${top.toFixed(1)})` },
    s("path", { d: "M0-7 7 0 0 7-7 0Z" }),
    s(
      "text",
      { x: atEnd ? -ASIDE : ASIDE, y: (name - top + 4).toFixed(1), "text-anchor": atEnd ? "end" : "start" },
      shortened(mark.name, Math.floor(room[atEnd ? 0 : 1] / LETTER)),
      s("title", {}, mark.name),
    ),
  );
}

/** Shorten a long name in the middle. */
export function shortened(name: string, most: number): string {
  const letters = [...name];
  if (letters.length <= most) return name;
  const kept = Math.max(most - 1, 2);
  const head = Math.ceil(kept / 2);
  return `${letters.slice(0, head).join("")}…${letters.slice(head - kept).join("")}`;
}

function follow(
  svg: SVGSVGElement,
  chart: Scatter,
  dots: SVGElement[],
  hint: Hint,
  place: (point: Point) => Pair,
): void {
  let present = -1;
  const leave = (): void => {
    dots[present]?.classList.remove("on");
    present = -1;
    svg.classList.remove("pointing");
    hint.hide();
  };
  svg.addEventListener("mousemove", (event) => {
    const box = svg.getBoundingClientRect();
    const zoom = svg.viewBox.baseVal.width / box.width;
    const mouse: Pair = [(event.clientX - box.left) * zoom, (event.clientY - box.top) * zoom];
    const found = nearest(chart.points.map(place), mouse);
    const point = chart.points[found];
    if (!point) return leave();
    dots[present]?.classList.remove("on");
    present = found;
    dots[found]?.classList.add("on");
    svg.classList.toggle("pointing", point.open.once !== null);
    hint.show(event, point.name, point.lines);
  });
  svg.addEventListener("mouseleave", leave);
  svg.addEventListener("click", () => {
    const { once, twice } = chart.points[present]?.open ?? {};
    // Whoever may click again must find the point where it was.
    if (!twice) leave();
    once?.();
  });
  svg.addEventListener("dblclick", () => {
    const { twice } = chart.points[present]?.open ?? {};
    leave();
    twice?.();
  });
}

/** Move labels apart that are too close to each other. */
export function apart(places: readonly number[], least: number): number[] {
  const moved = [...places];
  const order = places.map((_, place) => place).sort((a, b) => at(places, a) - at(places, b));
  let last = -Infinity;
  for (const place of order) last = moved[place] = Math.max(at(places, place), last + least);
  return moved;
}

/** Return the nearest point within reach, or -1. */
export function nearest(places: readonly Pair[], mouse: Pair): number {
  let best = -1;
  let least = REACH;
  places.forEach(([x, y], number) => {
    const distance = Math.hypot(x - mouse[0], y - mouse[1]);
    if (distance < least) [best, least] = [number, distance];
  });
  return best;
}
