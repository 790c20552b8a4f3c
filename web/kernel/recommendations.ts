// "Which metric should I report?": questions, and what follows from the answers.

export interface Question {
  name: string;
  text: string;
  options: readonly (readonly [value: string, label: string])[];
}

export type Answers = Readonly<Record<string, string>>;

export interface Recommendation {
  /** Commands to type, in this order. */
  commands: readonly string[];
  /** A sentence for the paper; the signature is what the command prints last. */
  sentence: string;
  reasons: readonly string[];
  /** Pages that explain more: a title, and a path from the folder of metrics. */
  pages: readonly (readonly [title: string, path: string])[];
}

const yesOrNo = (yes: string, no: string): Question["options"] => [
  ["yes", yes],
  ["no", no],
];

const SUBJECT: Question = {
  name: "subject",
  text: "What do you evaluate?",
  options: [
    ["texts", "Coreference in texts"],
    ["records", "Records that belong together (entity resolution)"],
    ["annotators", "Several annotators of the same texts"],
  ],
};
const FORMAT: Question = {
  name: "format",
  text: "Which annotation do your files have?",
  options: [
    ["spans", "Spans: CoNLL-2012, JSON lines, output of most systems"],
    ["corefud", "CorefUD: CoNLL-U with heads"],
    ["ua", "Universal Anaphora"],
  ],
};
const SINGLETONS: Question = {
  name: "singletons",
  text: "Does the key annotate singletons?",
  options: yesOrNo("Yes, as LitBank, GUM and ARRAU do", "No, as in OntoNotes"),
};
const MENTIONS: Question = {
  name: "mentions",
  text: "Who finds the mentions?",
  options: [
    ["predicted", "The system"],
    ["gold", "They are given: gold mentions"],
  ],
};
const EXTENT: Question = {
  name: "extent",
  text: "Where are mentions of the same entity?",
  options: [
    ["document", "In one document"],
    ["book", "In one document that is as long as a book"],
    ["corpus", "In several documents, as in ECB+"],
  ],
};
const ZEROS: Question = {
  name: "zeros",
  text: "Does the key annotate zeros, such as dropped pronouns?",
  options: yesOrNo("Yes", "No"),
};
const PHENOMENON: Question = {
  name: "phenomenon",
  text: "Which relation do you evaluate?",
  options: [
    ["identity", "Identity, with split antecedents"],
    ["bridging", "Bridging"],
    ["deixis", "Discourse deixis"],
  ],
};
const SYSTEMS: Question = {
  name: "systems",
  text: "How many systems do you compare?",
  options: [
    ["one", "One"],
    ["several", "Two or more, and I want to know whether they differ"],
  ],
};
const TABLE: Question = {
  name: "table",
  text: "How much room do you have?",
  options: [
    ["full", "A table with recall, precision and F₁"],
    ["one", "One figure for each system"],
  ],
};
const LABELS: Question = {
  name: "labels",
  text: "How many records have a gold cluster?",
  options: [
    ["all", "All of them"],
    ["sample", "A random sample"],
  ],
};
const OUTPUT: Question = {
  name: "output",
  text: "What does your linker write?",
  options: [
    ["clusters", "Clusters"],
    ["pairs", "Pairs with scores, and I need a threshold"],
  ],
};
const GOAL: Question = {
  name: "goal",
  text: "What do you want to know?",
  options: [
    ["agreement", "How much the annotators agree"],
    ["system", "Whether a system is as good as the annotators"],
  ],
};

export const QUESTIONS: readonly Question[] = [
  SUBJECT, FORMAT, PHENOMENON, SINGLETONS, MENTIONS, EXTENT, ZEROS, SYSTEMS, LABELS, OUTPUT, GOAL, TABLE,
]; // prettier-ignore

/** The questions that the answers so far lead to. */
export function questionsFor(answers: Answers): Question[] {
  switch (answers["subject"]) {
    case "records": {
      const isSample = answers["labels"] === "sample";
      return [SUBJECT, LABELS, ...(answers["labels"] && !isSample ? [OUTPUT] : []), TABLE];
    }
    case "annotators":
      return [SUBJECT, GOAL];
    case "texts":
      return [SUBJECT, FORMAT, ...ofFormat(answers["format"]), ...(answers["format"] ? [SYSTEMS, TABLE] : [])];
    default:
      return [SUBJECT];
  }
}

function ofFormat(format: string | undefined): Question[] {
  if (format === "spans") return [SINGLETONS, MENTIONS, EXTENT];
  if (format === "corefud") return [SINGLETONS, ZEROS];
  return format === "ua" ? [PHENOMENON] : [];
}

/** The recommendation, or null as long as a question is open. */
export function recommend(answers: Answers): Recommendation | null {
  if (questionsFor(answers).some((question) => !answers[question.name])) return null;
  if (answers["subject"] === "records") return forRecords(answers);
  if (answers["subject"] === "annotators") return forAnnotators(answers);
  return forTexts(answers);
}

/** All combinations of answers that lead to a recommendation. */
export function everyAnswer(answers: Answers = {}): Answers[] {
  const open = questionsFor(answers).find((question) => !answers[question.name]);
  if (!open) return [answers];
  return open.options.flatMap(([value]) => everyAnswer({ ...answers, [open.name]: value }));
}

const SIGNATURE = "(signature: …)";
const MEAN = "CoNLL F₁, the mean F₁ of MUC, B³ and CEAFe";
const PAPERS = "Papers since 2011 report CoNLL F₁, so readers can compare your system with earlier ones.";
const LEA = "LEA does not rise if the response adds entities without a right link, unlike B³, CEAF and BLANC.";
const WINDOWS = "On whole books MUC tends towards 100 and CEAFe falls, so their mean says little.";

interface Choice {
  metrics: string;
  names: string;
  reasons: string[];
  pages: [string, string][];
}

function forTexts(answers: Answers): Recommendation {
  const { metrics, names, reasons, pages } = metricsFor(answers);
  const { format, singletons, extent, systems, mentions } = answers;
  const isWindowed = extent === "book";
  const scope = extent === "corpus" ? " --scope corpus" : "";
  const window = isWindowed ? " --window 1500" : "";
  const deixis = answers["phenomenon"] === "deixis" ? " --evaluate discourse-deixis" : "";
  const ending = format === "corefud" ? "conllu" : format === "ua" ? "ua" : "conll";
  const isCompared = systems === "several";
  const files = isCompared ? `key.${ending} a.${ending} b.${ending}` : `key.${ending} response.${ending}`;
  const rules = format === "ua" ? [""] : singletons === "yes" ? [" --singletons keep", " --singletons drop"] : [" --singletons drop"];
  const options = `${deixis}${scope}`;
  const commands = rules.flatMap((rule) => {
    const all = `${options}${rule} --metrics ${metrics}`;
    const alone = `scoref ${files}${window}${all}`;
    if (!isCompared) return [alone];
    if (extent === "corpus") return [`${alone} --confidence --unit entities`];
    return [...(isWindowed ? [alone] : []), `scoref compare ${files}${all}`];
  });
  const parts = [`We report ${names}, computed with scoref ${SIGNATURE}.`];
  if (format !== "ua") {
    parts.push(
      singletons === "yes"
        ? "We give all figures with singletons and without them."
        : "Singletons were removed from the key and the response.",
    );
  }
  if (mentions) parts.push(mentions === "gold" ? "Systems were given gold mentions." : "Mentions were predicted.");
  if (extent === "corpus") parts.push("Entities extend over all documents of the corpus.");
  if (isWindowed) parts.push("Books were scored as a whole and in windows of 1500 tokens.");
  if (isCompared && extent === "corpus") {
    parts.push("Intervals are 95 % bootstrap intervals over blocks of entities.");
    reasons.push("The corpus is scored as one unit, so documents cannot be swapped to test a difference. Intervals show how exact each figure is.");
    pages.push(["Intervals", "../confidence"]);
  } else if (isCompared) {
    parts.push("Differences between systems were tested by approximate randomisation over documents, with Holm’s correction.");
    reasons.push("A difference between two systems can be due to the choice of documents. The test shows whether it is.");
    pages.push(["Comparing systems", "../compare"]);
  }
  if (singletons === "no") {
    reasons.push("Singletons that a response adds would lower B³ and CEAFe, although the key cannot have them.");
  } else if (singletons === "yes") {
    reasons.push("Most entities of such corpora are singletons. They raise B³, CEAF and LEA, so readers need both figures.");
  }
  if (extent === "corpus") pages.push(["Across documents", "../across-documents"]);
  if (isWindowed) pages.push(["Windows", "../windows"]);
  if (format === "corefud") reasons.push("With a folder for each side, scoref averages over datasets, as the CRAC shared tasks do.");
  return { commands, sentence: parts.join(" "), reasons, pages };
}

function metricsFor(answers: Answers): Choice {
  const isOne = answers["table"] === "one";
  if (answers["phenomenon"] === "bridging") {
    return {
      metrics: isOne ? "bridging-entities" : "bridging-anaphors,bridging-markables,bridging-entities",
      names: isOne
        ? "F₁ of bridging at the level of entities"
        : "bridging: recognition of anaphors, and resolution to markables and to entities",
      reasons: ["An antecedent counts as right at the level of entities if any mention of the right entity is chosen."],
      pages: [["Bridging", "bridging"]],
    };
  }
  if (answers["extent"] === "book" && isOne) {
    return { metrics: "lea", names: "F₁ of LEA", reasons: [WINDOWS, LEA], pages: [["LEA", "lea"]] };
  }
  if (isOne) return { metrics: "conll", names: MEAN, reasons: [PAPERS], pages: [["CoNLL F₁", "conll"]] };
  const [metrics, names] = ["muc,bcub,ceafe,conll,lea", `recall, precision and F₁ of MUC, B³, CEAFe and LEA, and ${MEAN}`];
  const reasons = [PAPERS, LEA];
  if (answers["extent"] === "book") reasons.push(WINDOWS);
  const pages: [string, string][] = [["CoNLL F₁", "conll"], ["LEA", "lea"]]; // prettier-ignore
  const more: [string, string, string][] = [];
  if (answers["format"] === "corefud") more.push(["mor", "MOR", "mor"]);
  if (answers["zeros"] === "yes") more.push(["zero", "zeros", "zeros"]);
  if (answers["mentions"] === "predicted") more.push(["mentions", "mentions", "mentions"]);
  if (answers["mentions"] === "predicted") reasons.push("The score of mentions separates finding mentions from linking them.");
  pages.push(...more.map(([, label, page]): [string, string] => [label, page]));
  const others = more.map(([, label]) => label).join(" and ");
  return {
    metrics: [metrics, ...more.map(([name]) => name)].join(","),
    names: others ? `${names}, and F₁ of ${others}` : names,
    reasons,
    pages,
  };
}

function forRecords({ labels, output, table }: Answers): Recommendation {
  const isOne = table === "one";
  const page = (title: string, path: string): [string, string] => [title, `../${path}`];
  const bcub = "B³ gives every record the same weight. A pairwise figure is decided by the few largest clusters.";
  if (labels === "sample") {
    return {
      commands: [`scoref estimate labelled.csv all.csv --weights cluster-size --metrics ${isOne ? "bcub" : "pairwise,bcub,cluster"}`],
      sentence: `We estimate ${isOne ? "B³" : "pairwise F₁, B³ and exact clusters"} of the whole prediction from a random sample of labelled clusters, with 95 % intervals, computed with scoref ${SIGNATURE}.`,
      reasons: [
        "Scores of the labelled records alone are too high: they do not contain the wrong merges with other records.",
        "--weights says how the sample was drawn. cluster-size is right if records were drawn and their clusters labelled.",
      ],
      pages: [page("Estimates", "estimates")],
    };
  }
  if (output === "pairs") {
    return {
      commands: [`scoref curve gold.csv pairs.csv --metrics ${isOne ? "bcub" : "bcub,pairwise"}`],
      sentence: `We report ${isOne ? "B³" : "B³ and pairwise F₁"} of the clusters at the threshold with the best B³ on development data, computed with scoref ${SIGNATURE}.`,
      reasons: [bcub, "Choose the threshold on development data, then score the test data at this threshold."],
      pages: [page("Curves", "curves")],
    };
  }
  return {
    commands: [`scoref table gold.csv predicted.csv --metrics ${isOne ? "bcub" : "pairwise,bcub,cluster"}`],
    sentence: `We report ${isOne ? "B³" : "recall, precision and F₁ of pairs, of B³ and of exact clusters"}, computed with scoref ${SIGNATURE}.`,
    reasons: [bcub, ...(isOne ? [] : ["Exact clusters say how many people, products or places are completely right."])],
    pages: [page("Tables", "tables"), ["Metrics for clusterings", "clusterings"]],
  };
}

function forAnnotators({ goal }: Answers): Recommendation {
  const annotators = "ada=ada.conll ben=ben.conll eva=eva.conll";
  const pages: [string, string][] = [["Agreement", "../agreement"]];
  if (goal === "agreement") {
    return {
      commands: [`scoref agree ${annotators}`],
      sentence: `We report Krippendorff’s α with the MASI distance, and the mean CoNLL F₁ of pairs of annotators, computed with scoref ${SIGNATURE}.`,
      reasons: ["α corrects for chance. F₁ of pairs can be compared with the F₁ of systems."],
      pages,
    };
  }
  return {
    commands: [`scoref agree ${annotators} --response response.conll`],
    sentence: `We report the mean CoNLL F₁ of the system with each annotator, next to that of the annotators among themselves, computed with scoref ${SIGNATURE}.`,
    reasons: ["A system that reaches the mean of the annotators is not worse than they are."],
    pages,
  };
}
