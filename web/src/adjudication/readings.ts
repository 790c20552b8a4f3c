/** The key and the annotators as texts that can be drawn, and what each annotator says about a dispute. */

import { at } from "../lists";
import { Text } from "../text";
import type { Looks, SideData, SystemData } from "../types";
import { type DocumentData, LEFT_OUT } from "./decisions";

const LOOKS = 24;

/** Who puts a dispute's mentions with which others; null if they did not mark them. */
export interface Reading {
  annotators: number[];
  company: number[] | null;
}

/** List the different readings of some units, those of most annotators first. */
export function readingsOf(document: DocumentData, units: readonly number[]): Reading[] {
  const readings = new Map<string, Reading>();
  document.annotators.forEach((entities, annotator) => {
    if (!entities) return;
    const company = companyOf(entities, units);
    const name = String(company ?? "none");
    const reading = readings.get(name) ?? { annotators: [], company };
    reading.annotators.push(annotator);
    readings.set(name, reading);
  });
  return [...readings.values()].sort((one, other) => other.annotators.length - one.annotators.length);
}

/** List the other units of the entity that some units are in; null if they are left out. */
export function companyOf(entities: readonly number[], units: readonly number[]): number[] | null {
  const own = at(entities, at(units, 0));
  if (own === LEFT_OUT) return null;
  return entities.flatMap((entity, unit) => (entity === own && !units.includes(unit) ? [unit] : []));
}

/** A partition of units as a side of a text; mentions are the units that are in it. */
export interface Partition {
  side: SideData;
  /** The unit of each mention, and the mention of each unit or -1. */
  unit: number[];
  mention: number[];
}

/** Labels of the key's entities by their first units, so that an entity keeps its label and look. */
export class Labels {
  private readonly labels = new Map<number, number>();

  of(first: number): number {
    const label = this.labels.get(first) ?? this.labels.size;
    this.labels.set(first, label);
    return label;
  }
}

/** Make the text of the key. */
export function keySide(document: DocumentData, entity: readonly number[], labels: Labels): Partition {
  const { groups, ...parts } = partition(document, entity);
  const label = groups.map((units) => labels.of(at(units, 0)));
  return {
    ...parts,
    side: {
      ...parts.side,
      looks: {
        label: label.map((number) => String(number + 1)),
        look: groups.map((units, place) => (units.length > 1 ? at(label, place) % LOOKS : -1)),
        main: groups.map((_, place) => place),
      },
    },
  };
}

/** Make an annotator's entities. Those like a key entity have its label and style. */
export function annotatorText(document: DocumentData, entity: readonly number[], key: Partition): Text {
  const { groups, ...theirs } = partition(document, entity);
  const best = groups.map((units) => mostShared(units, (unit) => entityOf(key, unit)));
  const place = new Map(groups.flatMap((units, number) => units.map((unit) => [unit, number])));
  const back = new Map<number, number>();
  at([key.side.entities], 0).forEach((_, number) => {
    const units = key.unit.filter((_, mention) => at(at(key.side.mentions, mention), 0) === number);
    back.set(number, mostShared(units, (unit) => place.get(unit) ?? -1));
  });
  const looks: Looks = { label: [], look: [], main: [] };
  let letters = 0;
  groups.forEach((units, number) => {
    const main = at(best, number);
    const isSame = main >= 0 && back.get(main) === number;
    looks.main.push(isSame ? main : -1);
    looks.label.push(isSame ? at(key.side.looks.label, main) : lettered(letters++));
    const look = isSame ? at(key.side.looks.look, main) : -1;
    looks.look.push(units.length < 2 ? -1 : look < 0 ? LOOKS - 1 - (number % LOOKS) : look);
  });
  const system: SystemData = {
    ...theirs.side,
    looks,
    partner: theirs.unit.map((unit) => at(key.mention, unit)),
    why: null,
    entity_partner: best,
    errors: [],
  };
  const { words, sentences, empty } = document;
  return new Text({ words, sentences, empty, key: key.side, systems: [system] }, 0);
}

function partition(document: DocumentData, entity: readonly number[]): Partition & { groups: number[][] } {
  const number = new Map<number, number>();
  const groups: number[][] = [];
  const [unit, mention]: [number[], number[]] = [[], []];
  const mentions: number[][] = [];
  entity.forEach((own, place) => {
    mention.push(own === LEFT_OUT ? -1 : unit.length);
    if (own === LEFT_OUT) return;
    if (!number.has(own)) number.set(own, groups.push([]) - 1);
    const group = number.get(own) ?? 0;
    at(groups, group).push(place);
    unit.push(place);
    mentions.push([group, ...at(document.mentions, place)]);
  });
  const looks = { label: [], look: [], main: [] };
  const side = { entities: groups.map(() => ""), mentions, classes: null, looks };
  return { side, unit, mention, groups };
}

function entityOf({ side, mention }: Partition, unit: number): number {
  const own = at(mention, unit);
  return own < 0 ? -1 : at(at(side.mentions, own), 0);
}

/** Return the most frequent number of units, the first one in a tie; -1 if none has one. */
function mostShared(units: readonly number[], of: (unit: number) => number): number {
  const counts = new Map<number, number>();
  for (const unit of units) counts.set(of(unit), (counts.get(of(unit)) ?? 0) + 1);
  counts.delete(-1);
  let best = -1;
  for (const [number, count] of counts) if (count > (counts.get(best) ?? 0)) best = number;
  return best;
}

function lettered(number: number): string {
  const letter = String.fromCharCode(97 + (number % 26));
  return number < 26 ? letter : lettered(Math.floor(number / 26) - 1) + letter;
}
