/** What is being looked at, as it stands behind the `#` of the address: it can be kept and sent. */

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
  /** An error by its place among those that the document's text lists. */
  error: number | null;
  query: string;
  /** Another system that the one is compared with. */
  beside: number | null;
  /** Which of both has to be wrong about a mention for it to be marked. */
  verdict: Verdict;
  /** The systems that stand side by side; none is as many as there is room for. */
  columns: number[];
  /** Which errors the browser of errors lists. */
  wanted: Wanted;
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
  query: "",
  beside: null,
  verdict: "",
  columns: [],
  wanted: ALL,
};

let names: readonly string[] = [];

/** Let addresses call documents by their names, which are the same after another run. */
export function nameDocuments(all: readonly string[]): void {
  names = new Set(all).size === all.length ? all : [];
}

function writtenDocument(place: number): string {
  const name = names[place] ?? "";
  return name && !/^\d+$/.test(name) ? name : String(place + 1);
}

function readDocument(text: string | null): number | null {
  const place = text === null ? -1 : names.indexOf(text);
  return place >= 0 && !/^\d+$/.test(text ?? "") ? place : ordinal(text);
}

/** Write a state behind a `#`; what is not chosen is left out. */
export function written(state: State): string {
  const parts = new URLSearchParams();
  if (state.document !== null) parts.set("document", writtenDocument(state.document));
  if (state.system) parts.set("system", String(state.system + 1));
  if (state.view) parts.set("view", state.view);
  if (state.kinds.length) parts.set("errors", state.kinds.join("."));
  if (state.className) parts.set("class", state.className);
  if (state.entity) parts.set("entity", writtenPlace(state.entity));
  if (state.mention) parts.set("mention", writtenPlace(state.mention));
  if (state.error !== null) parts.set("error", String(state.error + 1));
  if (state.query) parts.set("search", state.query);
  if (state.beside !== null) parts.set("beside", String(state.beside + 1));
  if (state.verdict) parts.set("verdict", state.verdict);
  if (state.columns.length) parts.set("columns", writtenNumbers(state.columns));
  writeWanted(state.wanted, parts);
  return parts.toString();
}

/** Read a state; what makes no sense is as if it were not there. */
export function read(hash: string): State {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const view = VIEWS.find((each) => each === parts.get("view")) ?? null;
  return {
    document: readDocument(parts.get("document")),
    system: ordinal(parts.get("system")) ?? 0,
    view,
    kinds: (parts.get("errors") ?? "")
      .split(".")
      .filter((text) => /^\d+$/.test(text))
      .map(Number),
    className: parts.get("class") ?? "",
    entity: readPlace(parts.get("entity")),
    mention: readPlace(parts.get("mention")),
    error: ordinal(parts.get("error")),
    query: parts.get("search") ?? "",
    beside: ordinal(parts.get("beside")),
    verdict: VERDICTS.find((each) => each === parts.get("verdict")) ?? "",
    columns: readNumbers(parts.get("columns") ?? ""),
    wanted: readWanted(parts),
  };
}

function ordinal(text: string | null): number | null {
  return text && /^[1-9]\d*$/.test(text) ? Number(text) - 1 : null;
}

function writtenPlace(place: Place): string {
  return `${place.side ? "r" : "k"}${place.number}`;
}

function readPlace(text: string | null): Place | null {
  const found = /^([kr])(\d+)$/.exec(text ?? "");
  return found ? { side: found[1] === "r" ? 1 : 0, number: Number(found[2]) } : null;
}
