// What other tools print as MUC, B³, CEAFe and CoNLL for the same entities, and why.
//
// The conventions and causes are those of `scoref explain`, which a test compares with this file.

import { type Counts, NOTHING, type Ratios, type Score, add, count, ratio, score, scoreOf } from "./metrics";
import { type Entities, linked, sum } from "./table";

/** The entities of a document. The position of an entity is its label. */
export interface Example {
  key: Entities;
  response: Entities;
}

export const PARTS = ["muc", "bcub", "ceafe"] as const;
export type Part = (typeof PARTS)[number];
type Figures = Record<Part, Score>;

interface Tool {
  name: string;
  label: string;
  causes: Partial<Record<Part | "all" | "undefined", string>>;
  score: (documents: readonly Example[]) => Figures;
  base?: Tool;
}

export interface Row {
  name: string;
  label: string;
  figures: Figures;
  conll: number;
  cause: string;
}

const REFERENCE: Tool = {
  name: "reference",
  label: "Perl reference scorer, coval, scoref",
  causes: {},
  score: (documents) => partsOf(total(documents)),
};

const ADDED: Tool = {
  name: "added-singletons",
  label: "scorch on one document",
  causes: { all: "mentions found only in the response are added to the key as singletons" },
  score: (documents) => partsOf(total(documents.map(withAddedSingletons))),
};

const SCORCH: Tool = {
  name: "scorch",
  label: "scorch, one file per document",
  causes: { all: "the mean over documents is weighted by their size" },
  base: ADDED,
  score: (documents) => {
    const counts = documents.map((document) => countOf(withAddedSingletons(document)));
    return average(counts, (figure, { mentions }) => {
      const [, inKey, , inResponse] = mentions;
      return { recall: inKey, precision: inResponse, f1: inKey + inResponse }[figure];
    });
  },
};

const STANZA: Tool = {
  name: "stanza",
  label: "stanza",
  causes: {
    all: "recall and precision are means over documents; F₁ comes from the means",
    undefined: "a document without key entities makes the mean 0/0",
  },
  score: (documents) => {
    const means = average(documents.map(countOf), () => 1);
    for (const part of PARTS) {
      const { recall, precision } = means[part];
      means[part] = { ...means[part], f1: ratio(2 * recall * precision, recall + precision) };
    }
    const isUndefined = documents.some(({ key }) => key.length === 0);
    return isUndefined ? { ...means, ceafe: { ...means.ceafe, recall: NaN, f1: NaN } } : means;
  },
};

const METRIC4COREF: Tool = {
  name: "metric4coref",
  label: "metric4coref",
  causes: {
    muc: "its MUC is pairwise F₁",
    bcub: "its B³ uses only mentions found on both sides",
    ceafe: "its CEAF is CEAFm",
  },
  score: (documents) => {
    const { mentions, bcub, pairwise, ceafm } = total(documents);
    const common: Ratios = [bcub[0], mentions[0], bcub[2], mentions[0]];
    return { muc: scoreOf(pairwise), bcub: scoreOf(common), ceafe: scoreOf(ceafm) };
  },
};

const HUGGING_FACE: Tool = {
  name: "hf-coval",
  label: "Hugging Face evaluate",
  causes: { all: "all documents count as one, and entities with the same label are merged across documents" },
  score: (documents) => partsOf(countOf({ key: merge(documents, "key"), response: merge(documents, "response") })),
};

const E2E: Tool = {
  name: "e2e-coref",
  label: "e2e-coref and its descendants",
  causes: {
    bcub: "B³ ignores singletons",
    ceafe: "CEAFe ignores singletons of the response but not of the key",
  },
  score: (documents) => {
    const neither = total(documents.map(({ key, response }) => ({ key: linked(key), response: linked(response) })));
    const onlyKey = total(documents.map(({ key, response }) => ({ key, response: linked(response) })));
    return { ...partsOf(total(documents)), bcub: scoreOf(neither.bcub), ceafe: scoreOf(onlyKey.ceafe) };
  },
};

const TOOLS: readonly Tool[] = [REFERENCE, SCORCH, STANZA, METRIC4COREF, HUGGING_FACE, E2E];

/** A row for each of the six tools; the first one is the reference. */
export function compareTools(documents: readonly Example[]): Row[] {
  return TOOLS.map((tool) => {
    const figures = tool.score(documents);
    const causes = new Set(PARTS.flatMap((part) => causesOf(tool, part, documents)));
    const conll = sum(PARTS.map((part) => figures[part].f1)) / PARTS.length;
    return { name: tool.name, label: tool.label, figures, conll, cause: [...causes].join("; ") };
  });
}

/** What a tool changes in a metric, after the changes of the tool that it is based on. */
function causesOf(tool: Tool, part: Part, documents: readonly Example[]): string[] {
  if (tool === REFERENCE) return [];
  const base = tool.base ?? REFERENCE;
  const [figures, others] = [tool.score(documents)[part], base.score(documents)[part]];
  if (Number.isNaN(figures.f1)) return [tool.causes.undefined ?? ""];
  const before = causesOf(base, part, documents);
  const differs = (["recall", "precision", "f1"] as const).some(
    (figure) => !(Math.abs(figures[figure] - others[figure]) <= 1e-9),
  );
  const cause = tool.causes[part] ?? tool.causes.all;
  return differs && cause ? [...new Set([...before, cause])] : before;
}

function countOf({ key, response }: Example): Counts {
  return count(key, response);
}

function total(documents: readonly Example[]): Counts {
  return documents.map(countOf).reduce(add, NOTHING);
}

function partsOf(counts: Counts): Figures {
  const { muc, bcub, ceafe } = score(counts);
  return { muc, bcub, ceafe };
}

/** The weighted mean of each figure over documents. */
function average(
  counts: readonly Counts[],
  weightOf: (figure: "recall" | "precision" | "f1", counts: Counts) => number,
): Figures {
  const mean = (part: Part, figure: "recall" | "precision" | "f1"): number => {
    const weights = counts.map((document) => weightOf(figure, document));
    const values = counts.map((document, index) => scoreOf(document[part])[figure] * weights[index]!);
    return ratio(sum(values), sum(weights));
  };
  const figures = PARTS.map((part): [Part, Score] => [
    part,
    {
      recall: mean(part, "recall"),
      precision: mean(part, "precision"),
      f1: mean(part, "f1"),
      isDefined: counts.some((document) => scoreOf(document[part]).isDefined),
    },
  ]);
  return Object.fromEntries(figures) as Figures;
}

function withAddedSingletons({ key, response }: Example): Example {
  const known = new Set(key.flat());
  return { key: [...key, ...response.flat().filter((mention) => !known.has(mention)).map((mention) => [mention])], response };
}

/** The entities of all documents as those of one; entities with the same label become one. */
function merge(documents: readonly Example[], side: "key" | "response"): string[][] {
  const entities: string[][] = [];
  documents.forEach((document, number) => {
    document[side].forEach((entity, label) => {
      entities[label] = [...(entities[label] ?? []), ...entity.map((mention) => `${number} ${mention}`)];
    });
  });
  return entities;
}
