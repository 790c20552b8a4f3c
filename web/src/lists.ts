/** Lists of numbers, and places in them. */

/** Return an element that must exist. */
export function at<T>(list: ArrayLike<T>, place: number): T {
  const found = list[place];
  if (found === undefined) throw new RangeError(`nothing at ${place}`);
  return found;
}

/** Count the numbers of a sorted list that are not above a value. */
export function countUpTo(sorted: ArrayLike<number>, value: number): number {
  return firstWhere(sorted.length, (place) => at(sorted, place) > value);
}

/** Find the first place at which a condition holds; it holds at all later places. */
export function firstWhere(length: number, isSo: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Sort rows into groups by a number each of them has. */
export function grouped(rows: readonly number[][], groups: number): number[][] {
  const found: number[][] = Array.from({ length: groups }, () => []);
  rows.forEach((row, place) => found[at(row, 0)]?.push(place));
  return found;
}

/** Return the most frequent number, the first one in a tie, and -1 for no numbers. */
export function commonest(numbers: Iterable<number>): number {
  const counts = new Map<number, number>();
  for (const each of numbers) counts.set(each, (counts.get(each) ?? 0) + 1);
  let best = -1;
  for (const [each, count] of counts) if (count > (counts.get(best) ?? 0)) best = each;
  return best;
}
