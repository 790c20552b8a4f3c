/** Names of documents without the parts that all of them share. */

const SEPARATOR = /[\s/_.;:()#-]/;
/** Names are not made shorter than this. */
const LEAST = 1;

/** Remove the common beginning and end of all names, up to a separator. A single name is kept.
 *
 * Numbers alone would say nothing, so they keep the beginning: "document 6".
 */
export function shortNames(names: readonly string[]): string[] {
  if (new Set(names).size < 2) return [...names];
  const head = common(names);
  const tail = common(names.map(reversed));
  const start = head.length - reversed(head).search(SEPARATOR);
  const from = reversed(head).search(SEPARATOR) < 0 ? 0 : start;
  const tailStop = reversed(tail).search(SEPARATOR);
  const end = tailStop < 0 ? 0 : tail.length - tailStop;
  const hasNumber = names.some((name) => /^\d*$/.test(name.slice(from, end ? -end : undefined)));
  const begin = hasNumber ? Math.max(head.search(/[^\s/_.;:()#-]/), 0) : from;
  const cut = names.map((name) => name.slice(begin, end ? -end : undefined));
  return cut.every((name) => name.length >= LEAST) ? cut : [...names];
}

function common(names: readonly string[]): string {
  const [first = "", ...others] = names;
  let length = first.length;
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}
