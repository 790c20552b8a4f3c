/** Two systems on the same text: the mentions that each of them gets wrong. */

import { at } from "./lists";
import type { Verdict } from "./state";
import type { Text } from "./text";
import { KEY, RESPONSE, type SideNumber } from "./types";

export class Verdicts {
  private readonly wrong: [Set<string>, Set<string>];

  constructor(one: Text, other: Text) {
    this.wrong = [wrongIn(one), wrongIn(other)];
  }

  /** Return whether a mention of one of the two texts passes the filter. */
  fits(text: Text, side: SideNumber, mention: number, asked: Verdict): boolean {
    const name = identity(text, side, mention);
    const [one, other] = this.wrong.map((names) => names.has(name));
    if (asked === "right") return !one && !other;
    return Boolean(one) === (asked !== "other") && Boolean(other) === (asked !== "only");
  }
}

function wrongIn(text: Text): Set<string> {
  const names = ([KEY, RESPONSE] as const).flatMap((side) =>
    [...text.errorsOf[side].keys()].map((mention) => identity(text, side, mention)),
  );
  return new Set(names);
}

/** Name a mention independently of the system: by its mention in the key, or by its tokens. */
function identity(text: Text, side: SideNumber, mention: number): string {
  const partner = side === KEY ? mention : at(text.partner[RESPONSE], mention);
  return partner >= 0 ? `k${partner}` : String(text.sides[side].piecesOf(mention));
}
