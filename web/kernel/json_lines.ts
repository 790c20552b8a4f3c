// Reads JSON lines: an object per document, with `doc_key` and `clusters` or `predicted_clusters`.

import { refuseRepetitions } from "./conll2012";
import { type Corpus, Refusal, type Role } from "./corpus";

type Fields = Record<string, unknown>;

export function readJsonLines(text: string, name: string, role: Role): Corpus {
  const documents = parse(text, name);
  const isPredicted = role === "response" && documents.some(([, fields]) => "predicted_clusters" in fields);
  const field = isPredicted ? "predicted_clusters" : "clusters";
  const corpus: Corpus = new Map();
  for (const [line, fields] of documents) {
    const refuse = (problem: string): never => {
      throw new Refusal(`${name}:${line}: ${problem}`, "`scoref check` shows every fault of a file.");
    };
    const key = fields["doc_key"];
    if (typeof key !== "string" && !Number.isInteger(key)) refuse("the document has no 'doc_key'.");
    const title = String(key);
    if (corpus.has(title)) refuse(`document ${title} is in the file twice.`);
    for (const labels of ["cluster_ids", "predicted_cluster_ids"]) {
      if (labels in fields) refuse(`this page does not read '${labels}'.`);
    }
    const words = wordsOf(fields);
    const entities = clustersOf(fields[field], field, words?.length ?? Infinity, refuse);
    refuseRepetitions(entities, role, (mention) => refuse(`the tokens ${mention} are listed twice.`));
    corpus.set(title, { entities, words, length: words?.length ?? null });
  }
  return corpus;
}

/** The objects of a file with their line numbers. */
function parse(text: string, name: string): [number, Fields][] {
  const documents: [number, Fields][] = [];
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new Refusal(
        `${name}:${index + 1}: this line is not a JSON object.`,
        "This page reads one document per line.",
      );
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Refusal(`${name}:${index + 1}: this line is not a JSON object.`, "This page reads one document per line.");
    }
    documents.push([index + 1, value as Fields]);
  });
  return documents;
}

function wordsOf(fields: Fields): string[] | null {
  const isWords = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((word) => typeof word === "string");
  const { tokens, sentences, document } = fields;
  if (Array.isArray(sentences) && sentences.every(isWords)) return sentences.flat();
  if (isWords(tokens)) return tokens;
  return isWords(document) ? document : null;
}

function clustersOf(clusters: unknown, field: string, length: number, refuse: (problem: string) => never): string[][] {
  if (!Array.isArray(clusters)) return refuse(`'${field}' is not a list of entities.`);
  return clusters.map((cluster: unknown) => {
    if (!Array.isArray(cluster) || cluster.length === 0) return refuse(`an entity of '${field}' is not a list of mentions.`);
    return cluster.map((span: unknown) => {
      const isSpan = Array.isArray(span) && span.length === 2 && span.every((end) => Number.isSafeInteger(end));
      if (!isSpan) return refuse(`${JSON.stringify(span)} is not a mention: [start, end].`);
      const [start, end] = span as [number, number];
      if (start < 0 || end < start || end >= length) return refuse(`no such tokens: [${start}, ${end}].`);
      return `${start}-${end}`;
    });
  });
}
