/** Drawing rows of text with their mentions. */

import { type Box, lanes, type Mark, nested } from "./drawing";
import { h } from "./dom";
import { signOf } from "./errors";
import { HUES } from "./hues";
import { at } from "./lists";
import type { Row } from "./rows";
import { spaceBetween } from "./spacing";
import type { View } from "./state";
import type { Text } from "./text";
import { type Kind, KEY, RESPONSE, type SideNumber } from "./types";

/** The response of another system, next to the present one. */
export interface Column {
  look: Look;
  marks: readonly Mark[];
}

/** How a row is drawn. */
export interface Look {
  text: Text;
  view: View;
  isShown: (side: SideNumber, mention: number) => boolean;
  isLit: (side: SideNumber, mention: number) => boolean;
  isChosen: (side: SideNumber, mention: number) => boolean;
  signsOf: (side: SideNumber, mention: number) => string;
  /** Signs in words, for screen readers. */
  kinds?: readonly Kind[];
  /** Whether a token is a search hit, and whether it is the present one. */
  hitOf: (token: number) => "hit" | "hit here" | "";
}

const MOST_LANES = 12;
/** Keeps a line from breaking between a label and its word. */
const JOINER = "\u2060";
/** Characters that change the direction of text beyond their own word. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;

/** Return the style classes of an entity. Singletons are grey. */
export function lookClass(look: number): string {
  return look < 0 ? "h-one" : `h${look % HUES} s${Math.floor(look / HUES)}`;
}

/** Draw a row: one line of text, or several side by side. */
export function paintedRow(
  look: Look,
  row: Row,
  marks: readonly Mark[],
  columns: readonly Column[] = [],
): HTMLElement {
  const number = row.sentence < 0 ? "" : String(row.sentence + 1);
  return h(
    "div",
    { class: "row" },
    h("span", { class: "number", "aria-hidden": "true" }, number),
    ...(look.view === "all" ? besideEachOther(look, row, marks, columns) : paintedCells(look, row, marks)),
  );
}

/** Draw the key, and the response of each system in their order. */
function besideEachOther(
  look: Look,
  row: Row,
  marks: readonly Mark[],
  columns: readonly Column[],
): HTMLElement[] {
  const responses = columns.map((column) => {
    const isOther = column.look !== look;
    const shown = column.marks.filter((mark) => column.look.isShown(mark.side, mark.mention));
    const made = cell(column.look, row, shown, [RESPONSE]);
    if (isOther) made.dataset["system"] = String(column.look.text.system);
    return made;
  });
  const shown = marks.filter((mark) => look.isShown(mark.side, mark.mention));
  return [cell(look, row, shown, [KEY]), ...responses];
}

/** Draw the lines of text of a row. */
export function paintedCells(look: Look, row: Row, marks: readonly Mark[]): HTMLElement[] {
  const shown = marks.filter((mark) => look.isShown(mark.side, mark.mention));
  return cellsOf(look.view).map((sides) => cell(look, row, shown, sides));
}

/** Make signs that screen readers read as names of errors. */
function signed(sign: string, kinds: readonly Kind[]): HTMLElement {
  const names = sign.split(" ").map((each) => kinds.find((kind) => signOf(kind) === each)?.label ?? each);
  return h("b", { class: "sign", role: "img", "aria-label": names.join(", ") }, sign);
}

/** Isolate the direction of a word from the words around it. */
function isolated(word: string): HTMLElement {
  return h("bdi", {}, word);
}

function cellsOf(view: View): SideNumber[][] {
  if (view === "side") return [[KEY], [RESPONSE]];
  if (view === "over") return [[KEY, RESPONSE]];
  return [[view === "key" ? KEY : RESPONSE]];
}

function cell(look: Look, row: Row, marks: readonly Mark[], sides: SideNumber[]): HTMLElement {
  const own = marks.filter((mark) => sides.includes(mark.side));
  const found = [lanes(own, KEY), lanes(own, RESPONSE)] as const;
  const kind = sides.length > 1 ? "both" : sides[0] === KEY ? "of-key" : "of-response";
  const holder = h("p", { class: `cell ${kind}`, dir: "auto" });
  const counts = found.map((lane) => (lane.size ? Math.min(Math.max(...lane.values()), MOST_LANES) + 1 : 0));
  holder.style.setProperty("--above", String(sides.length > 1 ? at(counts, 0) : 0));
  holder.style.setProperty("--below", String(sides.length > 1 ? at(counts, 1) : Math.max(...counts)));
  new Painter(look, found).fill(holder, row.start, row.end, nested(own));
  return holder;
}

class Painter {
  constructor(
    private readonly look: Look,
    private readonly lanes: readonly [Map<number, number>, Map<number, number>],
  ) {}

  /** Add words to an element, within the boxes of their mentions. */
  fill(parent: HTMLElement, start: number, end: number, boxes: readonly Box[]): void {
    let token = start;
    for (const box of boxes) {
      if (box.start > token) this.words(parent, token, box.start - 1, start);
      this.space(parent, box.start, start);
      parent.append(this.box(box));
      token = box.end + 1;
    }
    if (token <= end) this.words(parent, token, end, start);
  }

  private box(box: Box): HTMLElement {
    const { side, mention } = box;
    const lane = Math.min(this.lanes[side].get(mention) ?? 0, MOST_LANES);
    const element = h("span", { class: this.classes(box), "data-m": `${side ? "r" : "k"}${mention}` });
    element.style.setProperty("--lane", String(lane));
    if (box.opens && !box.isGap) this.open(element, side, mention);
    this.fill(element, box.start, box.end, box.inner);
    return element;
  }

  private classes(box: Box): string {
    const { look } = this;
    const side = look.text.sides[box.side];
    const kind = lookClass(side.looks.look[side.entityOf(box.mention)] ?? -1);
    return [
      `m ${box.side ? "r" : "k"} ${kind}`,
      box.isGap ? "gap" : "",
      box.opens && !box.isGap ? "opens" : "",
      box.closes && !box.isGap ? "closes" : "",
      look.isLit(box.side, box.mention) ? "lit" : "",
      look.isChosen(box.side, box.mention) ? "chosen" : "",
    ]
      .filter(Boolean)
      .join(" ");
  }

  private open(element: HTMLElement, side: SideNumber, mention: number): void {
    const { look } = this;
    element.tabIndex = look.isChosen(side, mention) ? 0 : -1;
    const sign = look.signsOf(side, mention);
    if (!sign && look.view === "over" && side === RESPONSE && this.isRepeated(mention)) return;
    const label = look.text.labelOf(side, mention);
    element.append(h("span", { class: "tag" }, label, sign && signed(sign, look.kinds ?? []), JOINER));
  }

  /** Return whether the line of the key above has the same words and the same label. */
  private isRepeated(mention: number): boolean {
    const { text, isShown } = this.look;
    const partner = at(text.partner[RESPONSE], mention);
    if (partner < 0 || !isShown(KEY, partner)) return false;
    const [key, response] = text.sides;
    const isSame = String(key.piecesOf(partner)) === String(response.piecesOf(mention));
    return isSame && text.labelOf(KEY, partner) === text.labelOf(RESPONSE, mention);
  }

  private words(parent: HTMLElement, start: number, end: number, from: number): void {
    let plain = "";
    const flush = (): void => {
      if (plain) parent.append(plain);
      plain = "";
    };
    for (let token = start; token <= end; token++) {
      const word = at(this.look.text.words, token);
      if (token > from) plain += spaceBetween(at(this.look.text.words, token - 1), word);
      const special = this.special(token, word);
      if (!special) {
        plain += word;
        continue;
      }
      flush();
      parent.append(special);
    }
    flush();
  }

  private special(token: number, word: string): HTMLElement | null {
    const hit = this.look.hitOf(token);
    if (this.look.text.empty.has(token)) {
      const form = word && word !== "_" ? h("i", {}, word) : null;
      return h("span", { class: `zero ${hit}`.trim() }, "∅", form);
    }
    if (hit) return h("mark", { class: hit }, isolated(word));
    return TURNING.test(word) ? isolated(word) : null;
  }

  private space(parent: HTMLElement, token: number, from: number): void {
    if (token <= from) return;
    const { words } = this.look.text;
    parent.append(spaceBetween(at(words, token - 1), at(words, token)));
  }
}
