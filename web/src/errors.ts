/** Errors: their signs, filters, and the next one. */

import { countUpTo } from "./lists";
import type { PlacedError } from "./text";
import type { Kind } from "./types";

/** Return the sign of a kind of error, because colour alone is not enough. */
export function signOf(kind: Kind | undefined): string {
  return kind?.sign || "!";
}

/** List the numbers of the errors of some kinds; of all kinds if none is named. */
export function wantedErrors(errors: readonly PlacedError[], kinds: readonly number[]): number[] {
  const wanted = new Set(kinds);
  return errors.flatMap((error, number) => (!wanted.size || wanted.has(error.kind) ? [number] : []));
}

/** Return the next or previous error, from the last one to the first; -1 if there is none.
 *
 * Without a present one, it is the first behind a place in the text, or the last before it.
 */
export function stepFrom(
  list: readonly number[],
  errors: readonly PlacedError[],
  present: number,
  step: 1 | -1,
  token: number,
): number {
  if (!list.length) return -1;
  const place = list.indexOf(present);
  const tokens = list.map((number) => errors[number]?.token ?? 0);
  const behind = countUpTo(tokens, token - 1);
  const next = place >= 0 ? place + step : step > 0 ? behind : behind - 1;
  return list[(next + list.length) % list.length] ?? -1;
}
