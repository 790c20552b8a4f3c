/** A text in rows, which are sentences or parts of long ones, and rows in blocks. */

import { clipped, marksOf, type Mark } from "./drawing";
import { at, countUpTo } from "./lists";
import type { Text } from "./text";
import type { SideNumber } from "./types";

export interface Row {
  start: number;
  /** The last token. */
  end: number;
  /** The sentence that begins here, or -1. */
  sentence: number;
}

const LONGEST = 160;
const BLOCK = 240;

/** Cut a text into rows. */
export function rowsOf(sentences: readonly number[], tokens: number): Row[] {
  const rows: Row[] = [];
  sentences.forEach((start, sentence) => {
    const end = (sentences[sentence + 1] ?? tokens) - 1;
    for (let place = start; place <= end; place += LONGEST)
      rows.push({
        start: place,
        end: Math.min(place + LONGEST - 1, end),
        sentence: place === start ? sentence : -1,
      });
  });
  return rows;
}

/** Join rows to blocks of enough words; returns where each block begins. */
export function blocksOf(rows: readonly Row[]): number[] {
  const starts: number[] = [];
  let tokens = Infinity;
  rows.forEach((row, number) => {
    if (tokens >= BLOCK) {
      starts.push(number);
      tokens = 0;
    }
    tokens += row.end - row.start + 1;
  });
  return starts;
}

/** Sort the marks of a text by row. The rows may cover only a part of the text. */
export function marksByRow(text: Text, rows: readonly Row[]): Mark[][] {
  const found: Mark[][] = rows.map(() => []);
  const starts = rows.map((row) => row.start);
  const add = (mark: Mark): void => {
    for (let number = Math.max(countUpTo(starts, mark.start) - 1, 0); number < rows.length; number++) {
      const row = at(rows, number);
      if (row.start > mark.end) break;
      const part = clipped(mark, row.start, row.end);
      if (part) at(found, number).push(part);
    }
  };
  text.sides.forEach((side, number) => {
    for (let mention = 0; mention < side.size; mention++)
      marksOf(number as SideNumber, mention, side.piecesOf(mention)).forEach(add);
  });
  return found;
}
