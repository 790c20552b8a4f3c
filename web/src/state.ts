/**
 * The selection, which is the part of the address after `#`, so that links keep it.
 * The address names documents and words, which are the same after another run; numbers may differ.
 */

import { shortNames } from "./names";
import type { Spots } from "./spots";
import type { SideNumber } from "./types";
import { ALL, readNumbers, readWanted, type Wanted, writeWanted, writtenNumbers } from "./wanted";

export const VIEWS = ["side", "over", "key", "response", "all"] as const;
export type View = (typeof VIEWS)[number];

export const VERDICTS = ["", "only", "other", "both", "right"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A mention or an entity of one side. */
export interface Place {
  side: SideNumber;
  number: number;
}

export interface State {
  document: number | null;
  system: number;
  view: View | null;
  kinds: number[];
  className: string;
  entity: Place | null;
  mention: Place | null;
  /** An error by its place in the list of its document. */
  error: number | null;
  /** The place that the address names in a document whose text was not read yet. */
  spots: Spots | null;
  query: string;
  /** The other system that this one is compared with. */
  beside: number | null;
  /** Which of the two systems must be wrong about a mention that is highlighted. */
  verdict: Verdict;
  /** The systems that are side by side; an empty list means as many as fit. */
  columns: number[];
  /** The errors that the browser lists. */
  wanted: Wanted;
  /** Whether the text view steps through this list, and not through the errors of its document. */
  listed: boolean;
}

export const NOTHING: State = {
  document: null,
  system: 0,
  view: null,
  kinds: [],
  className: "",
  entity: null,
  mention: null,
  error: null,
  spots: null,
  query: "",
  beside: null,
  verdict: "",
  columns: [],
  wanted: ALL,
  listed: false,
};

const SPOTS = ["entity", "mention", "error"] as const;

let names: readonly string[] = [];
/** The names that the page shows, which people type. */
let shown: readonly string[] = [];

/** Use names of documents in addresses, which stay the same after another run. */
export function nameDocuments(all: readonly string[]): void {
  names = new Set(all).size === all.length ? all : [];
  shown = shortNames(names);
}

/** Write a document for the address. */
export function writtenDocument(place: number): string {
  return names[place] || String(place + 1);
}

/** Find a document by its name, by the name that the page shows, or by its number, which may be too large. */
export function readDocument(text: string | null): number | null {
  const places = text === null ? [] : [names.indexOf(text), shown.indexOf(text)];
  return places.find((place) => place >= 0) ?? ordinal(text);
}

/** Write a state as the part of an address after `#`, without defaults. */
export function written(state: State, spots: Spots | null = state.spots): string {
  const parts = new URLSearchParams();
  if (state.document !== null) parts.set("document", writtenDocument(state.document));
  if (state.system) parts.set("system", String(state.system + 1));
  if (state.view) parts.set("view", state.view);
  if (state.kinds.length) parts.set("errors", state.kinds.join("."));
  if (state.className) parts.set("class", state.className);
  for (const name of SPOTS) if (spots?.[name]) parts.set(name, spots[name]);
  if (state.query) parts.set("search", state.query);
  if (state.beside !== null) parts.set("beside", String(state.beside + 1));
  if (state.verdict) parts.set("verdict", state.verdict);
  if (state.columns.length) parts.set("columns", writtenNumbers(state.columns));
  writeWanted(state.wanted, parts, writtenDocument);
  if (state.listed) parts.set("list", "1");
  return parts.toString();
}

/** Read a state. Invalid parts are ignored. */
export function read(hash: string): State {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const view = VIEWS.find((each) => each === parts.get("view")) ?? null;
  const [entity, mention, error] = SPOTS.map((name) => parts.get(name)) as [string | null, string | null, string | null];
  const spots = { entity, mention, error };
  return {
    document: readDocument(parts.get("document")),
    system: ordinal(parts.get("system")) ?? 0,
    view,
    kinds: (parts.get("errors") ?? "")
      .split(".")
      .filter((text) => /^\d+$/.test(text))
      .map(Number),
    className: parts.get("class") ?? "",
    entity: null,
    mention: null,
    error: null,
    spots: SPOTS.some((name) => parts.get(name)) ? spots : null,
    query: parts.get("search") ?? "",
    beside: ordinal(parts.get("beside")),
    verdict: VERDICTS.find((each) => each === parts.get("verdict")) ?? "",
    columns: readNumbers(parts.get("columns") ?? ""),
    wanted: readWanted(parts, readDocument),
    listed: parts.get("list") === "1",
  };
}

function ordinal(text: string | null): number | null {
  return text && /^[1-9]\d*$/.test(text) ? Number(text) - 1 : null;
}

/** Describe what is wrong with an address; "" if nothing is. */
export function problemOf(hash: string, documents: number, systems: number): string {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const isThere = (name: string): boolean => (readDocument(name) ?? documents) < documents;
  const named = [...parts.getAll("document"), ...parts.getAll("in")];
  const asked = named.filter((name) => !isThere(name)).map((name) => `document “${name}”`);
  for (const name of ["system", "beside"])
    if (parts.has(name) && (ordinal(parts.get(name)) ?? systems) >= systems) asked.push(`system “${parts.get(name)}”`);
  return asked.length ? `The address names ${asked.join(" and ")}, which this report does not have.` : "";
}
