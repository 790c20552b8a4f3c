/** Mentions in a row of text: how they are nested, and how far from the words each is drawn. */

import { at } from "./lists";
import type { SideNumber } from "./types";

/** A piece of a mention in one row. A gap within a mention is a piece as well. */
export interface Mark {
  side: SideNumber;
  mention: number;
  start: number;
  end: number;
  isGap: boolean;
  /** The first and the last token of the whole mention. */
  reach: number;
  /** Whether the mention begins and ends here, or continues in another row or piece. */
  opens: boolean;
  closes: boolean;
}

/** A mark, or a part of one that another mark cuts in two, and the marks within it. */
export interface Box extends Mark {
  inner: Box[];
}

/** Make marks of a mention's pieces and of the gaps between them. */
export function marksOf(side: SideNumber, mention: number, pieces: readonly number[]): Mark[] {
  const marks: Mark[] = [];
  const reach = at(pieces, pieces.length - 1) - at(pieces, 0);
  for (let place = 0; place < pieces.length; place += 2) {
    const start = at(pieces, place);
    const end = at(pieces, place + 1);
    const before = place > 0 ? at(pieces, place - 1) : start;
    if (start > before + 1)
      marks.push({
        side,
        mention,
        start: before + 1,
        end: start - 1,
        isGap: true,
        reach,
        opens: false,
        closes: false,
      });
    const opens = place === 0;
    const closes = place === pieces.length - 2;
    marks.push({ side, mention, start, end, isGap: false, reach, opens, closes });
  }
  return marks;
}

/** Keep the part of a mark between two tokens. */
export function clipped(mark: Mark, start: number, end: number): Mark | null {
  if (mark.end < start || mark.start > end) return null;
  if (mark.start >= start && mark.end <= end) return mark;
  return {
    ...mark,
    start: Math.max(mark.start, start),
    end: Math.min(mark.end, end),
    opens: mark.opens && mark.start >= start,
    closes: mark.closes && mark.end <= end,
  };
}

/** Nest marks. If two of them cross, the later one is cut in two. */
export function nested(marks: readonly Mark[]): Box[] {
  const waiting = [...marks].sort(outerFirst);
  const boxes: Box[] = [];
  for (let outer = waiting.shift(); outer; outer = waiting.shift()) {
    const inner: Mark[] = [];
    const later: Mark[] = [];
    for (const mark of waiting.splice(0)) {
      if (mark.start > outer.end) later.push(mark);
      else if (mark.end <= outer.end) inner.push(mark);
      else {
        inner.push({ ...mark, end: outer.end, closes: false });
        later.push({ ...mark, start: outer.end + 1, opens: false });
      }
    }
    waiting.push(...later.sort(outerFirst));
    boxes.push({ ...outer, inner: nested(inner) });
  }
  return boxes;
}

/** Assign a lane to every mention of one side. Inner mentions are nearer to the words. */
export function lanes(marks: readonly Mark[], side: SideNumber): Map<number, number> {
  const hulls = new Map<number, { mention: number; start: number; end: number }>();
  for (const mark of marks) {
    if (mark.side !== side) continue;
    const hull = hulls.get(mark.mention) ?? { ...mark };
    hull.start = Math.min(hull.start, mark.start);
    hull.end = Math.max(hull.end, mark.end);
    hulls.set(mark.mention, hull);
  }
  const found = new Map<number, number>();
  const placed: { start: number; end: number; lane: number }[] = [];
  for (const hull of [...hulls.values()].sort(shorterFirst)) {
    const below = placed.filter((other) => other.start <= hull.end && hull.start <= other.end);
    const lane = below.reduce((highest, other) => Math.max(highest, other.lane + 1), 0);
    placed.push({ ...hull, lane });
    found.set(hull.mention, lane);
  }
  return found;
}

function outerFirst(one: Mark, other: Mark): number {
  return (
    one.start - other.start ||
    other.end - one.end ||
    one.side - other.side ||
    other.reach - one.reach ||
    one.mention - other.mention
  );
}

function shorterFirst(
  one: { start: number; end: number; mention: number },
  other: { start: number; end: number; mention: number },
): number {
  return (
    one.end - one.start - (other.end - other.start) || one.start - other.start || other.mention - one.mention
  );
}
