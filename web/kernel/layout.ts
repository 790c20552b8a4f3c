// Where entities and mentions are drawn, and the shapes that all drawings consist of.

import type { Entities } from "./table";

export const RADIUS = 17;
const PITCH = 46;
const PADDING = 10;
const GAP = 16;
export const BOX = 2 * RADIUS + 2 * PADDING - 4;
const COLOURS = 8;

export type Side = "key" | "response";

export interface Place {
  mention: string;
  entity: number;
  x: number;
  y: number;
}

export interface Box {
  entity: number;
  x: number;
  y: number;
  width: number;
  places: Place[];
}

export interface Row {
  side: Side;
  boxes: Box[];
  bottom: number;
  width: number;
}

/** Puts the entities of a side next to each other, in several lines if they do not fit. */
export function layOut(side: Side, entities: Entities, top: number, width: number, below: number): Row {
  const boxes: Box[] = [];
  let [x, y, right] = [1, top, 0];
  entities.forEach((entity, index) => {
    const size = Math.max(entity.length, 1) * PITCH - (PITCH - 2 * RADIUS) + 2 * PADDING;
    if (x > 1 && x + size > width) [x, y] = [1, y + BOX + below];
    const places = entity.map((mention, place) => ({
      mention,
      entity: index,
      x: x + PADDING + RADIUS + place * PITCH,
      y: y + BOX / 2,
    }));
    boxes.push({ entity: index, x, y, width: size, places });
    right = Math.max(right, x + size);
    x += size + GAP;
  });
  return { side, boxes, bottom: y + BOX + below, width: right };
}

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export function text(x: number, y: number, content: string, style = "", anchor = "middle"): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" class="${style}">${escape(content)}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, style: string): string {
  return `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" class="${style}"/>`;
}

export function bar(x: number, y: number, width: number, height: number, style: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${height}" class="${style}"/>`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function drawBox(box: Box, side: Side): string {
  return (
    `<rect x="${round(box.x)}" y="${round(box.y)}" width="${round(box.width)}" height="${BOX}" rx="9" ` +
    `class="box" data-side="${side}" data-entity="${box.entity}"/>`
  );
}

/** A mention in the colour of its entity on the other side; dashed if that side lacks it. */
export function drawMention(place: Place, side: Side, other: number | undefined): string {
  const colour = other === undefined ? "lost" : `fill${other % COLOURS}`;
  const short = [...place.mention].length > 3 ? `${[...place.mention].slice(0, 2).join("")}…` : place.mention;
  const where =
    other === undefined ? `not in the ${opposite(side)}` : `${opposite(side)} entity ${other + 1}`;
  const label = escape(`${place.mention}: ${side} entity ${place.entity + 1}, ${where}`);
  return (
    `<g class="mention ${colour}" data-side="${side}" data-mention="${escape(place.mention)}" aria-label="${label}">` +
    `<circle cx="${round(place.x)}" cy="${round(place.y)}" r="${RADIUS}"/>` +
    `${text(place.x, place.y + 5, short, "name")}<title>${label}</title></g>`
  );
}

export function opposite(side: Side): Side {
  return side === "key" ? "response" : "key";
}
