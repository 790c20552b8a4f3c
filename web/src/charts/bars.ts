/** Bars in groups: a group for each name, a bar in it for each series. */

import { s } from "../dom";
import { drawing, widthOf } from "./frame";
import { linear } from "./scale";

export interface Series {
  name: string;
  /** The colour; -1 is the grey of the key. */
  look: number;
  values: number[];
  /** The text after each bar. */
  notes: string[];
}

export interface Bars {
  label: string;
  names: string[];
  /** The text after each name, if any. */
  signs?: string[];
  series: Series[];
  /** Called on a click on a bar, with the places of its name and its series. */
  pick?: ((name: number, series: number) => void) | null;
}

const BAR = 15;
const GAP = 14;
/** Sizes of letters, as in the style sheet. */
const LABEL = 12.5;
const NOTE = 12;

/** Draw horizontal bars with names on the left and figures on the right. */
export function bars(chart: Bars, width: number): SVGSVGElement {
  const group = BAR * chart.series.length + GAP;
  const labels = chart.names.map((name, row) => widthOf(`${name} ${chart.signs?.[row] ?? ""}`.trim(), LABEL));
  const left = Math.min(Math.max(...labels, 30) + 14, width * 0.6);
  const notes = chart.series.flatMap((each) => each.notes.map((note) => widthOf(note, NOTE)));
  const behind = Math.max(...notes, 20) + 12;
  const height = group * chart.names.length;
  const most = Math.max(...chart.series.flatMap((each) => each.values)) || 1;
  const { place } = linear([0, most], [left, Math.max(width - behind, left + 40)]);
  const svg = drawing({ width, height }, chart.label);
  svg.classList.add("bars");
  chart.names.forEach((name, row) => {
    const top = row * group;
    const sign = chart.signs?.[row];
    svg.append(
      s(
        "text",
        { class: "label", x: left - 10, y: top + group / 2 + LABEL / 3, "text-anchor": "end" },
        name,
        sign && s("tspan", { class: "kind-sign" }, ` ${sign}`),
      ),
    );
    chart.series.forEach((each, place_) => {
      const value = each.values[row] ?? 0;
      const y = top + GAP / 2 + place_ * BAR;
      const length = value ? Math.max(place(value) - left, 1.5) : 0;
      const look = each.look < 0 ? "h-key" : `h${each.look}`;
      const bar = s("rect", {
        class: `bar ${look}`,
        x: left,
        y: y + 2,
        width: length.toFixed(1),
        height: BAR - 4,
        rx: 2,
      });
      const note = s(
        "text",
        { class: "note", x: (left + length + 7).toFixed(1), y: y + BAR - 3.5 },
        each.notes[row] ?? "",
      );
      if (!chart.pick || each.notes[row] === "0") return svg.append(bar, note);
      const area = s("rect", { class: "area", x: 0, y, width, height: BAR });
      svg.append(pickable([area, bar, note], `${name}, ${each.name}: ${each.notes[row] ?? ""}`, () => chart.pick?.(row, place_)));
    });
  });
  if (chart.pick) svg.setAttribute("role", "group");
  svg.append(s("line", { class: "foot", x1: left, x2: left, y1: 2, y2: height - 2 }));
  return svg;
}

/** Make parts of a drawing a button. */
function pickable(parts: SVGElement[], label: string, pick: () => void): SVGGElement {
  const found = s("g", { class: "pickable", role: "button", tabindex: 0, "aria-label": label }, ...parts);
  found.addEventListener("click", pick);
  found.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pick();
  });
  return found;
}
