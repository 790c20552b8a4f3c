/** An error in its context: the words around it in the key and in the response. */

import { clipped, type Mark, marksOf } from "./drawing";
import { signOf } from "./errors";
import { at } from "./lists";
import { type Look, paintedCells } from "./paint";
import type { Row } from "./rows";
import { ofSystem } from "./sides";
import type { PlacedError, Text } from "./text";
import { type Kind, KEY, RESPONSE, type SideNumber } from "./types";

/** Words before the error. Phones show fewer, so that the mention is on the screen. */
const [BEFORE, ON_PHONE] = [7, 2];
const LONGEST = 45;
const PUNCTUATION = /^\p{P}+$/u;

/** Draw both lines with the mentions of the two entities that the error is about. */
export function contextOf(text: Text, error: PlacedError, kinds: readonly Kind[]): HTMLElement[] {
  const sign = signOf(kinds[error.kind]);
  const row = windowOf(text, error);
  const own = [new Set(error.key_mentions), new Set(error.response_mentions)] as const;
  const look: Look = {
    text,
    view: "side",
    isShown: () => true,
    isLit: (side, mention) => own[side].has(mention),
    isChosen: () => false,
    signsOf: (side, mention) => (own[side].has(mention) ? sign : ""),
    kinds,
    hitOf: () => "",
  };
  const marks = ([KEY, RESPONSE] as const).flatMap((side) => marksWithin(text, error, side, row));
  const cells = paintedCells(look, row, marks);
  for (const cell of cells) {
    ofSystem(cell, text.system);
    if (row.isCutBefore) cell.prepend("… ");
    if (row.isCutAfter) cell.append(" …");
  }
  return cells;
}

/** Choose the sentence of the error or, if it is long, the part around the error. */
function windowOf(text: Text, error: PlacedError): Row & { isCutBefore: boolean; isCutAfter: boolean } {
  const sentence = text.sentenceOf(error.token);
  const first = text.sentences[sentence] ?? 0;
  const last = (text.sentences[sentence + 1] ?? text.words.length) - 1;
  const before = matchMedia("(max-width: 40rem)").matches ? ON_PHONE : BEFORE;
  let start = Math.max(first, error.token - before);
  while (start > first && start < error.token && PUNCTUATION.test(at(text.words, start))) start++;
  const end = Math.min(last, start + LONGEST);
  return { start, end, sentence, isCutBefore: start > first, isCutAfter: end < last };
}

function marksWithin(
  text: Text,
  error: PlacedError,
  side: SideNumber,
  { start, end }: { start: number; end: number },
): Mark[] {
  const found = text.sides[side];
  const entity = side ? error.response_entity : error.key_entity;
  const own = side ? error.response_mentions : error.key_mentions;
  // A mention that began long before is not worth a search through all of them.
  const near = found.between(entity, start - LONGEST, end);
  const mentions = new Set([...near, ...own]);
  return [...mentions].flatMap((mention) => {
    const pieces = found.piecesOf(mention);
    if (at(pieces, 0) > end || at(pieces, pieces.length - 1) < start) return [];
    return marksOf(side, mention, pieces).flatMap((mark) => clipped(mark, start, end) ?? []);
  });
}
