/** Figures as people read them. */

/** Write a fraction in percent. */
export function percent(value: number | null | undefined, digits = 2): string {
  return value === null || value === undefined ? "–" : (100 * value).toFixed(digits);
}

/** Write a difference in percent with its sign; what rounds to nothing has none. */
export function signed(value: number, digits = 2): string {
  const text = percent(Math.abs(value), digits);
  return Number(text) ? `${value < 0 ? "−" : "+"}${text}` : text;
}

/** Write a count with commas between thousands, as the terminal does. */
export function count(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Write a count and what is counted. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
