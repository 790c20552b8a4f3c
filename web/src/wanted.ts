/** The filters of errors, as in the address. */

export const FACETS = ["kind", "class", "distance", "size", "document", "genre"] as const;
export type Facet = (typeof FACETS)[number];
export const GROUPS = ["", "words", "pair", "document"] as const;
/** Errors in the order of the text, instead of by gain. */
export const IN_TEXT = "text";
export const WHO = ["", "only", "both", "other"] as const;

/** Values are places in lists, and an empty list is no filter. Texts are those of the list of errors. */
export interface Wanted extends Record<Facet, readonly number[]> {
  query: string;
  words: string | null;
  entity: string | null;
  /** Whether another system is wrong there as well; "other" lists its errors instead. */
  who: (typeof WHO)[number];
  group: (typeof GROUPS)[number];
  /** The metric by whose gains errors are sorted; "" starts with the costliest group, "text" is the order of the text. */
  sort: string;
  /** The mark of errors; "" for any or none. */
  mark: string;
}

export const ALL: Wanted = {
  kind: [],
  class: [],
  distance: [],
  size: [],
  document: [],
  genre: [],
  query: "",
  words: null,
  entity: null,
  who: "",
  group: "",
  sort: "",
  mark: "",
};

/** Return whether any filter is set. */
export function isNarrow(wanted: Wanted): boolean {
  return (
    FACETS.some((facet) => wanted[facet].length) ||
    Boolean(wanted.query || wanted.who || wanted.mark) ||
    wanted.words !== null ||
    wanted.entity !== null
  );
}

/** Names of filters in the address; documents have their own. */
const CALLED: Record<Facet, string> = {
  kind: "kind",
  class: "of",
  distance: "distance",
  size: "size",
  document: "in",
  genre: "genre",
};
const TEXTS = { query: "find", words: "words", entity: "with", who: "wrong", group: "group", sort: "sort", mark: "marked" };
type TextName = keyof typeof TEXTS;

/** Write filters as parts of an address, without defaults. */
export function writeWanted(wanted: Wanted, parts: URLSearchParams, nameOf: (document: number) => string): void {
  for (const facet of FACETS) {
    if (facet === "document") for (const place of wanted.document) parts.append(CALLED.document, nameOf(place));
    else if (wanted[facet].length) parts.set(CALLED[facet], writtenNumbers(wanted[facet]));
  }
  for (const name of Object.keys(TEXTS) as TextName[]) {
    const text = wanted[name];
    if (text !== ALL[name] && text !== null) parts.set(TEXTS[name], text);
  }
}

/** Read filters. Invalid parts are ignored. */
export function readWanted(parts: URLSearchParams, placeOf: (document: string) => number | null): Wanted {
  const text = (name: TextName): string | null => parts.get(TEXTS[name]);
  const documents = parts.getAll(CALLED.document).flatMap((name) => placeOf(name) ?? []);
  const facets = FACETS.map((facet) => [facet, facet === "document" ? documents : readNumbers(parts.get(CALLED[facet]) ?? "")]);
  return {
    ...(Object.fromEntries(facets) as Record<Facet, number[]>),
    query: text("query") ?? "",
    words: text("words"),
    entity: text("entity"),
    who: WHO.find((each) => each === text("who")) ?? "",
    group: GROUPS.find((each) => each === text("group")) ?? "",
    sort: text("sort") ?? "",
    mark: text("mark") ?? "",
  };
}

/** Write places, counted from 1. */
export function writtenNumbers(places: readonly number[]): string {
  return places.map((each) => each + 1).join(".");
}

/** Read the places that `writtenNumbers` wrote. */
export function readNumbers(text: string): number[] {
  return text
    .split(".")
    .filter((each) => /^[1-9]\d*$/.test(each))
    .map((each) => Number(each) - 1);
}

/** Add a value, or remove it. */
export function toggled(chosen: readonly number[], one: number): number[] {
  return chosen.includes(one) ? chosen.filter((each) => each !== one) : [...chosen, one].sort((a, b) => a - b);
}
