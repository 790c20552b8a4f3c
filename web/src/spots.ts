/** Places in addresses: side, words and entity, so that links survive another run. */

import { at } from "./lists";
import type { Place } from "./state";
import type { Text } from "./text";
import { KEY, type Kind, RESPONSE, type SideNumber } from "./types";

/** The place in a document that an address names, before the text is read. */
export interface Spots {
  mention: string | null;
  entity: string | null;
  error: string | null;
}

/** The place in a document that an address names, with the numbers of the text. */
export interface Found {
  mention: Place | null;
  entity: Place | null;
  error: number | null;
}

/** Write the first and the last word of a mention, counted from 1. Equal mentions are numbered. */
export function spotOf(text: Text, { side, number }: Place): string {
  const span = spanOf(text, { side, number });
  const twin = text.sides[side].alike(number).indexOf(number);
  return twin > 0 ? `${span}.${twin + 1}` : span;
}

/** Write the side, and the first and the last word of each piece of a mention. */
export function spanOf(text: Text, { side, number }: Place): string {
  const pieces = text.sides[side].piecesOf(number);
  const spans: string[] = [];
  for (let place = 0; place < pieces.length; place += 2)
    spans.push(`${at(pieces, place) + 1}-${at(pieces, place + 1) + 1}`);
  return `${side ? "r" : "k"}${spans.join("_")}`;
}

/** Describe what is selected in a text. */
export function spotsOf(text: Text, { mention, entity, error }: Found, kinds: readonly Kind[]): Spots {
  const first = entity && text.sides[entity.side].ofEntity[entity.number]?.[0];
  const chosen = text.errors[text.placeOf(error)];
  const side: SideNumber = chosen && chosen.firsts[KEY] < 0 ? RESPONSE : KEY;
  const isThere = mention && mention.number < text.sides[mention.side].size;
  return {
    mention: isThere ? spotOf(text, mention) : null,
    entity: typeof first === "number" && entity ? spotOf(text, { side: entity.side, number: first }) : null,
    error: chosen ? `${kinds[chosen.kind]?.name ?? ""}.${spotOf(text, { side, number: chosen.firsts[side] })}` : null,
  };
}

/** Find the places that an address names, and list those that do not exist. */
export function findSpots(text: Text, spots: Spots, kinds: readonly Kind[]): { found: Found; lost: string[] } {
  const mention = spots.mention === null ? null : mentionAt(text, spots.mention);
  const named = spots.entity === null ? null : mentionAt(text, spots.entity);
  const entity = named && { side: named.side, number: text.sides[named.side].entityOf(named.number) };
  const error = spots.error === null ? null : errorAt(text, spots.error, kinds);
  const found = { mention, entity, error };
  const names = ["mention", "entity", "error"] as const;
  return { found, lost: names.filter((name) => spots[name] !== null && found[name] === null) };
}

function mentionAt(text: Text, spot: string): Place | null {
  const [, letter, spans = "", twin] = /^([kr])(\d+-\d+(?:_\d+-\d+)*)(?:\.(\d+))?$/.exec(spot) ?? [];
  if (!letter) return null;
  const side: SideNumber = letter === "r" ? RESPONSE : KEY;
  const pieces = spans.split(/[-_]/).map((each) => Number(each) - 1);
  const number = text.sides[side].withPieces(pieces)[Number(twin ?? 1) - 1];
  return number === undefined ? null : { side, number };
}

function errorAt(text: Text, spot: string, kinds: readonly Kind[]): number | null {
  const [, name, rest = ""] = /^([^.]*)\.(.*)$/.exec(spot) ?? [];
  const place = mentionAt(text, rest);
  const kind = kinds.findIndex((each) => each.name === name);
  const errors = place ? (text.errorsOf[place.side].get(place.number) ?? []) : [];
  const error = errors.map((each) => at(text.errors, each)).find((each) => each.kind === kind);
  return error?.number ?? null;
}
