/** Sorting by what stands in a column: what is missing is last, whichever way. */

type Value = number | string | null;

/** Say which of two values comes first; the sign turns the order round. */
export function compared(one: Value, other: Value, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return sign * (one < other ? -1 : one > other ? 1 : 0);
}

/** Read a figure as it is written on the page; names are taken as they are. */
export function figureOf(text: string, isName: boolean): Value {
  if (isName) return text.toLowerCase();
  const figure = Number.parseFloat(text.replace("−", "-").replace(/[\s\u202f,]/g, ""));
  return Number.isNaN(figure) ? null : figure;
}
