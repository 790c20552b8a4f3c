/** What belongs to a mention: its entity, and what lights up on both sides. */

import { at } from "./lists";
import type { Place } from "./state";
import type { Text } from "./text";
import { RESPONSE, KEY, type SideNumber } from "./types";

/** An entity and its counterpart, each with its mentions. */
export interface Chain {
  side: SideNumber;
  entity: number;
  /** The entity of the other side that has most in common with it, or -1. */
  counterpart: number;
  /** The mentions that light up on each side. */
  lit: [Set<number>, Set<number>];
}

export function other(side: SideNumber): SideNumber {
  return side === KEY ? RESPONSE : KEY;
}

/** Follow an entity: its mentions, what they were aligned to, and the counterpart's mentions. */
export function chainOf(text: Text, { side, number: entity }: Place): Chain {
  const counterpart = text.counterpart(side, entity);
  const away = other(side);
  const lit: [Set<number>, Set<number>] = [new Set(), new Set()];
  lit[side] = new Set(text.sides[side].ofEntity[entity]);
  lit[away] = new Set([...text.partnersOf(side, entity), ...(text.sides[away].ofEntity[counterpart] ?? [])]);
  return { side, entity, counterpart, lit };
}

/** Count where the mentions of an entity went: entities of the other side, and -1 for nowhere. */
export function whereTo(text: Text, side: SideNumber, entity: number): [number, number][] {
  const counts = new Map<number, number>();
  for (const mention of text.sides[side].ofEntity[entity] ?? []) {
    const partner = at(text.partner[side], mention);
    const place = partner < 0 ? -1 : text.sides[other(side)].entityOf(partner);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => Number(a[0] < 0) - Number(b[0] < 0) || b[1] - a[1]);
}
