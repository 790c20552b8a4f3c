/** Which mentions are highlighted: all, or those of some errors, a class or an entity. */

import { chainOf } from "./chain";
import { wantedErrors } from "./errors";
import type { State } from "./state";
import type { Text } from "./text";
import type { Verdicts } from "./verdicts";
import { KEY, RESPONSE, type SideNumber } from "./types";

type Test = (side: SideNumber, mention: number) => boolean;

/** Choose the mentions of both sides that a state selects. */
export function shownMentions(text: Text, state: State, verdicts: Verdicts | null = null): Test {
  const tests: Test[] = [];
  if (verdicts && state.verdict)
    tests.push((side, mention) => verdicts.fits(text, side, mention, state.verdict));
  if (state.kinds.length) {
    const sets = concerned(text, state.kinds);
    tests.push((side, mention) => sets[side].has(mention));
  }
  if (state.className) tests.push((side, mention) => text.sides[side].classOf(mention) === state.className);
  if (state.entity) {
    const { lit } = chainOf(text, state.entity);
    tests.push((side, mention) => lit[side].has(mention));
  }
  return (side, mention) => tests.every((test) => test(side, mention));
}

/** List the errors that a state selects: those of its kinds about highlighted mentions. */
export function shownErrors(text: Text, state: State, verdicts: Verdicts | null = null): number[] {
  const isShown = shownMentions(text, state, verdicts);
  return wantedErrors(text.errors, state.kinds).filter((number) => {
    const error = text.errors[number];
    return (
      error &&
      (error.key_mentions.some((mention) => isShown(KEY, mention)) ||
        error.response_mentions.some((mention) => isShown(RESPONSE, mention)))
    );
  });
}

/** List the classes of mentions. */
export function classesOf(text: Text): string[] {
  const found = new Set(text.sides.flatMap((side) => side.data.classes ?? []));
  return [...found].filter(Boolean).sort();
}

/** Return the usual word for a class. Without names and nouns, only pronouns are known. */
export function nameOfClass(name: string, all: readonly string[]): string {
  const known: Record<string, string> = { proper: "name", common: "noun" };
  const isUnknown = name === "other" && !all.some((each) => each in known);
  return isUnknown ? "not a pronoun" : (known[name] ?? name);
}

function concerned(text: Text, kinds: readonly number[]): [Set<number>, Set<number>] {
  const errors = wantedErrors(text.errors, kinds).flatMap((number) => text.errors[number] ?? []);
  return [
    new Set(errors.flatMap((error) => error.key_mentions)),
    new Set(errors.flatMap((error) => error.response_mentions)),
  ];
}
