/** The data of the page: the report, and the text of each document. */

export type Pair = [number, number];

export interface Score {
  metric: string;
  label: string;
  recall: number | null;
  precision: number | null;
  f1: number;
  is_defined: boolean;
}

export interface DocumentScore {
  f1: number | null;
  recall: number | null;
  precision: number | null;
  /** Recall, precision and F₁ from which gains start, if they differ. */
  before?: [number, number, number] | null;
  errors: number | null;
  /** The kind of most of its errors, and their number. */
  main_kind?: number | null;
  of_main_kind?: number;
}

/** Errors that are fixed together, and the filters that list them. */
export interface ErrorGroup {
  title: string;
  detail: string;
  count: number;
  gain: number | null;
  kind: number | null;
  class: string | null;
  words: string | null;
  document: number | null;
}

/** What the second of two systems fixes and breaks. */
export interface Change {
  first: number;
  second: number;
  fixes: ErrorGroup[];
  breaks: ErrorGroup[];
}

export interface System {
  /** What is wrong, in one sentence. */
  sentence?: string | null;
  groups?: ErrorGroup[] | null;
  /** The score from which gains are counted, if it differs. */
  before?: number | null;
  name: string;
  scores: Score[];
  errors: { kind: number; count: number; gain: number | null }[];
  documents: DocumentScore[];
}

export interface Kind {
  name: string;
  label: string;
  meaning: string;
  sign: string;
  /** Describes one error, with its parts in braces. */
  sentence?: string;
}

export interface DocumentEntry {
  name: string;
  genre?: string | null;
  tokens: number | null;
  mentions: number | null;
  entities: number | null;
  has_text: boolean;
}

export interface Part {
  key?: string;
  response?: string;
  shared: number;
  size: number;
}

export interface Cluster {
  key?: string;
  response?: string;
  size: number;
  /** The number of pairs of members that are not together on the other side. */
  lost?: number;
  part_count?: number;
  parts: Part[];
  mentions: string[];
}

/** The clusters of a system that differ from the key. */
export interface Clusters {
  divided: Cluster[];
  conflated: Cluster[];
  /** Their total number. */
  divided_count?: number;
  conflated_count?: number;
}

/** How two systems differ in one metric. */
export interface Difference {
  first: number;
  second: number;
  metric: string;
  difference: number;
  p_holm: number;
  is_significant: boolean;
}

export interface Report {
  title: string;
  /** The annotator who takes the place of the key, if annotators are compared. */
  annotator?: string | null;
  metric: { name: string; label: string };
  kinds: Kind[];
  systems: System[];
  comparison?: { rows: Difference[] } | null;
  documents: DocumentEntry[];
  sizes: { labels: string[]; key: number[]; systems: number[][] } | null;
  changes?: Change[] | null;
  left_out: string | null;
  clusters: Clusters[] | null;
  /** Whether the page holds every error. */
  errors?: boolean;
}

/** How entities are drawn: their labels and their styles. */
export interface Looks {
  label: string[];
  look: number[];
  /** The key entity of each, or -1. */
  main: number[];
}

export interface SideData {
  entities: string[];
  mentions: number[][];
  classes: string[] | null;
  /** The mention that names each entity. */
  names?: number[];
  looks: Looks;
}

export interface ErrorData {
  kind: number;
  key_mentions: number[];
  response_mentions: number[];
  key_entity: number;
  response_entity: number;
}

export interface SystemData extends SideData {
  partner: number[];
  why: string[] | null;
  entity_partner: number[];
  errors: ErrorData[];
  /** What fixing all errors of each key entity gains, in 0.0001 points; null if unknown. */
  gains?: (number | null)[] | null;
}

export interface TextData {
  words: string[];
  sentences: number[];
  empty: number[];
  key: SideData;
  systems: SystemData[];
}

/** The key is side 0, the response side 1. */
export type SideNumber = 0 | 1;

export const KEY: SideNumber = 0;
export const RESPONSE: SideNumber = 1;
