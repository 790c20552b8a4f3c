/** How figures are written. */

/** Write a fraction in percent. */
export function percent(value: number | null | undefined, digits = 2): string {
  return value === null || value === undefined ? "–" : rounded(100 * value, digits);
}

/** Round as the terminal does: a number halfway between two gets the even digit, 3.125 becomes 3.12. */
export function rounded(value: number, digits: number): string {
  // With one digit more than is shown in base two, odd numbers are the only ones halfway.
  const isHalfway = Math.abs(value * 2 ** (digits + 1)) % 2 === 1;
  if (!isHalfway) return value.toFixed(digits);
  const below = Math.floor(value * 10 ** digits);
  return ((below % 2 === 0 ? below : below + 1) / 10 ** digits).toFixed(digits);
}

/** Write a difference in percent with its sign. Zero has none. */
export function signed(value: number, digits = 2): string {
  const text = percent(Math.abs(value), digits);
  return Number(text) ? `${value < 0 ? "−" : "+"}${text}` : text;
}

/** Write a count with commas between thousands, as the terminal does. */
export function count(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Write a count with its noun. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
