/** The entity of a mention, and what is highlighted on both sides. */

import { at } from "./lists";
import type { Place } from "./state";
import type { Text } from "./text";
import { RESPONSE, KEY, type SideNumber } from "./types";

/** An entity and its counterpart, each with its mentions. */
export interface Chain {
  side: SideNumber;
  entity: number;
  /** The entity of the other side that shares most mentions with it, or -1. */
  counterpart: number;
  /** The mentions that are highlighted on each side. */
  lit: [Set<number>, Set<number>];
}

export function other(side: SideNumber): SideNumber {
  return side === KEY ? RESPONSE : KEY;
}

/** Collect the mentions of an entity, those that they are aligned to, and those of its counterpart. */
export function chainOf(text: Text, { side, number: entity }: Place): Chain {
  const counterpart = text.counterpart(side, entity);
  const away = other(side);
  const lit: [Set<number>, Set<number>] = [new Set(), new Set()];
  lit[side] = new Set(text.sides[side].ofEntity[entity]);
  lit[away] = new Set([...text.partnersOf(side, entity), ...(text.sides[away].ofEntity[counterpart] ?? [])]);
  return { side, entity, counterpart, lit };
}

/** Mentions that no entity of the other side has, and those that one has with other words. */
export const NOWHERE = -2;
export const OTHER_WORDS = -1;

/** Count the mentions of an entity by the entity of the other side that they are matched in. */
export function whereTo(text: Text, side: SideNumber, entity: number): [number, number][] {
  const counts = new Map<number, number>();
  for (const mention of text.sides[side].ofEntity[entity] ?? []) {
    const partner = at(text.partner[side], mention);
    const isMatched = text.isMatched(side, mention);
    const place = isMatched ? text.sides[other(side)].entityOf(partner) : partner < 0 ? NOWHERE : OTHER_WORDS;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => Math.min(b[0], 0) - Math.min(a[0], 0) || b[1] - a[1]);
}
