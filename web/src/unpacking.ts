/** Texts as the page contains them, and back: see `packing.py`, which packs them. */

import type { ErrorData, Looks, SideData, SystemData, TextData } from "./types";

/** Names as the digits of their places in a list; a plain list if they are too many. */
export type Coded = string[] | { names: string[]; places: string } | null;

/** Lists as their lengths and the steps through all of them. */
interface Rows {
  length: number[];
  steps: number[];
}

interface PackedSide {
  entities: string[];
  /** An entity and steps; only the entity if the partner in the key has the same place. */
  mentions: number[][];
  classes: Coded;
  /** How many mentions are between the first one of each entity and the one that names it. */
  names: number[] | null;
  looks: Looks;
}

interface PackedSystem extends PackedSide {
  partner: number[];
  why: Coded;
  entity_partner: number[];
  gains: (number | null)[] | null;
  errors: {
    kind: number[];
    key_entity: number[];
    response_entity: number[];
    key_mentions: Rows;
    response_mentions: Rows;
  };
}

export interface PackedText {
  words: string | string[];
  sentences: number[];
  empty: number[];
  key: PackedSide;
  systems: PackedSystem[];
}

/** Restore a text. */
export function restored(packed: PackedText): TextData {
  const key = restoredSide(packed.key, []);
  return {
    words: typeof packed.words === "string" ? packed.words.split(" ") : packed.words,
    sentences: summed(packed.sentences),
    empty: packed.empty,
    key,
    systems: packed.systems.map((system): SystemData => {
      const partner = summed(system.partner);
      const places = partner.map((mention) => key.mentions[mention]?.slice(1) ?? []);
      return {
        ...restoredSide(system, places),
        partner,
        why: decoded(system.why),
        entity_partner: system.entity_partner,
        errors: restoredErrors(system.errors),
        gains: system.gains,
      };
    }),
  };
}

/** Add up steps. */
function summed(steps: readonly number[]): number[] {
  let last = 0;
  return steps.map((step) => (last += step));
}

function decoded(values: Coded): string[] | null {
  if (!values || Array.isArray(values)) return values;
  return Array.from(values.places, (place) => values.names[Number(place)] ?? "");
}

function restoredSide(side: PackedSide, known: readonly number[][]): SideData {
  let last = 0;
  const mentions = side.mentions.map(([entity = 0, ...steps], number) => {
    let place = last;
    const places = steps.length ? steps.map((step) => (place += step)) : (known[number] ?? []);
    last = places[0] ?? 0;
    return [entity, ...places];
  });
  const data: SideData = { entities: side.entities, mentions, classes: decoded(side.classes), looks: side.looks };
  if (side.names) {
    const first = new Map<number, number>();
    mentions.forEach(([entity = 0], number) => first.has(entity) || first.set(entity, number));
    data.names = side.names.map((after, entity) => after + (first.get(entity) ?? 0));
  }
  return data;
}

function restoredErrors(errors: PackedSystem["errors"]): ErrorData[] {
  const ours = restoredRows(errors.key_mentions);
  const theirs = restoredRows(errors.response_mentions);
  return errors.kind.map((kind, number) => ({
    kind,
    key_mentions: ours[number] ?? [],
    response_mentions: theirs[number] ?? [],
    key_entity: errors.key_entity[number] ?? -1,
    response_entity: errors.response_entity[number] ?? -1,
  }));
}

function restoredRows({ length, steps }: Rows): number[][] {
  const places = summed(steps);
  let end = 0;
  return length.map((count) => places.slice(end, (end += count)));
}
