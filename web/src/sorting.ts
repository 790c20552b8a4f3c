/** Sorting by a column. Missing values come last in both directions. */

type Value = number | string | null;

/** Compare two values. A sign of -1 reverses the order. */
export function compared(one: Value, other: Value, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return sign * (one < other ? -1 : one > other ? 1 : 0);
}

/** Read a figure of the page. Names are compared as text. */
export function figureOf(text: string, isName: boolean): Value {
  if (isName) return text.toLowerCase();
  const figure = Number.parseFloat(text.replace("−", "-").replace(/[\s\u202f,]/g, ""));
  return Number.isNaN(figure) ? null : figure;
}
