/** The charts and the list of documents. Scores are part of the page already. */

import { bars, type Series } from "./charts/bars";
import { Hint, responsive } from "./charts/frame";
import { linear, ofSizes } from "./charts/scale";
import { type Point, scatter } from "./charts/scatter";
import { clusterSection } from "./clusters";
import { byId, choice, h } from "./dom";
import { signOf } from "./errors";
import { hueOf } from "./hues";
import { documentList } from "./list";
import { count, counted, percent, signed } from "./numbers";
import { say } from "./terms";
import type { Pair, Report, System } from "./types";
import type { Wanted } from "./wanted";

const HEIGHT = 300;
const isTouch = (): boolean => matchMedia("(hover: none)").matches;
const CONLL = ["muc", "bcub", "ceafe"];

export interface OverviewActions {
  open: (document: number) => void;
  choose: (system: number) => void;
  /** Filter the list of errors; null if the page has none. */
  want: ((change: Partial<Wanted>, system?: number) => void) | null;
}

/** Draw what is not part of the page yet. */
export class Overview {
  private readonly hint = new Hint();
  private drawn = "";

  constructor(
    private readonly report: Report,
    private readonly actions: OverviewActions,
  ) {}

  /** Draw it for one system, compared with another. */
  draw(system: number, beside: number | null): void {
    const { report } = this;
    const drawn = `${system} ${beside}`;
    if (this.drawn === drawn) return;
    this.drawn = drawn;
    const charts = report.systems.length ? this.charts(system) : [];
    const clusters = report.clusters?.[system];
    const isOfSystem = clusters ?? charts.some((chart) => chart.classList.contains("of-system"));
    const chosen = report.systems.length > 1 && isOfSystem;
    byId("plots").replaceChildren(
      ...(chosen ? [this.chooser(system)] : []),
      h("div", { class: "charts" }, ...charts),
    );
    byId("documents").replaceChildren(
      ...(report.documents.length ? documentList(report, system, beside, this.actions) : []),
    );
    byId("clusters").replaceChildren(
      ...(clusters ? clusterSection(clusters, this.responseName(system)) : []),
    );
  }

  private chooser(system: number): HTMLElement {
    const names = this.report.systems.map((each) => each.name);
    return h(
      "p",
      { class: "chooser" },
      h(
        "label",
        {},
        this.chooserLabel,
        choice(say().system, names, system, this.actions.choose),
      ),
    );
  }

  private get chooserLabel(): string {
    if (!this.report.clusters) return "Points are documents of ";
    return this.report.documents.length ? "Documents and clusters of " : "Clusters of ";
  }

  /** Name the response of some clusters. A single response does not need a name. */
  private responseName(system: number): string {
    return this.report.systems.length > 1 ? this.system(system).name : "the response";
  }

  private charts(system: number): HTMLElement[] {
    const found: HTMLElement[] = [];
    if (this.report.kinds.length && this.report.systems.some((each) => each.errors.some(({ count }) => count)))
      found.push(
        this.figure(
          `${say().Errors} by kind`,
          this.hasGains
            ? `CoNLL points gained if only this kind were ${say().fixed}, and number of ${say().error}s.`
            : `Number of ${say().error}s.`,
          false,
          (holder, width) => this.errorBars(holder, width),
        ),
      );
    if (this.report.sizes)
      found.push(
        this.figure(this.sizeTitle, `Number of ${this.things} by their number of ${this.members}s.`, false, (holder, width) =>
          this.sizeBars(holder, width),
        ),
      );
    const points = this.points(system);
    const { label } = this.report.metric;
    if (points.length > 1 && this.report.documents.some((each) => each.tokens !== null)) {
      found.push(
        this.figure(`${label} by length`, this.pointCaption, true, (holder, width) =>
          this.byLength(holder, width, points, hueOf(system)),
        ),
      );
    }
    const pairs = this.recallAndPrecision(system);
    if (pairs.length > 1)
      found.push(
        this.figure(
          `Recall and precision of ${this.report.metric.name === "conll" ? "MUC, B³ and CEAFe" : label}`,
          `${this.report.metric.name === "conll" ? "Means of the three metrics. " : ""}Points are documents, diamonds are ${say().system.toLowerCase()}s, and curves show equal F₁.`,
          true,
          (holder, width) => this.balance(holder, width, pairs, hueOf(system)),
        ),
      );
    return found;
  }

  private figure(
    title: string,
    caption: string,
    ofSystem: boolean,
    draw: (holder: HTMLElement, width: number) => void,
  ): HTMLElement {
    const holder = h("div", { class: "holder" });
    const found = h(
      "figure",
      { class: ofSystem ? "of-system" : "" },
      h("figcaption", {}, h("h3", {}, title), h("p", {}, ...hints(caption))),
      holder,
    );
    responsive(holder, (width) => draw(holder, width));
    return found;
  }

  private points(system: number): (Point & { f1: number; tokens: number; place: number })[] {
    const { documents, metric } = this.report;
    const scores = this.system(system).documents;
    return documents.flatMap((document, place) => {
      const score = scores[place];
      const f1 = score?.f1 ?? null;
      if (!score || f1 === null) return [];
      const tokens = document.tokens ?? 0;
      const lines = [`${metric.label} ${percent(f1)}`];
      if (document.tokens !== null) lines.push(counted(document.tokens, "word"));
      if (score.errors !== null) lines.push(counted(score.errors, say().error));
      const open = this.onPoint(place, system, document.has_text);
      return [{ x: tokens, y: f1, name: document.name, lines, open, f1, tokens, place }];
    });
  }

  private get pointCaption(): string {
    const start = "Each point is a document. ";
    const { want } = this.actions;
    // A finger cannot double-click.
    if (isTouch())
      return want ? `${start}Tap for its ${say().error}s. The list of documents opens its text.` : `${start}Tap to open it.`;
    return want
      ? `${start}Click for its ${say().error}s, double-click for its text.`
      : `${start}Click to open it.`;
  }

  private onPoint(document: number, system: number, hasText: boolean): Point["open"] {
    const { want, open } = this.actions;
    const read = hasText ? () => open(document) : null;
    return want ? { once: () => want({ document: [document] }, system), twice: read } : { once: read, twice: null };
  }

  private byLength(holder: HTMLElement, width: number, points: (Point & { tokens: number })[], look: number): void {
    const lengths = points.map((point) => point.tokens);
    const lowest = Math.min(...points.map((point) => point.y));
    const chart = scatter(
      {
        label: `${this.report.metric.label} of ${points.length} documents by length. The list of documents below has the same figures.`,
        x: {
          label: "words",
          write: count,
          scale: (range) =>
            ofSizes([Math.min(...lengths), Math.max(...lengths)], range, Math.floor(width / 70)),
        },
        y: {
          label: `${this.report.metric.label} F₁`,
          write: (value) => percent(value, 0),
          scale: (range) => linear([Math.max(0, lowest - 0.05), 1], range),
        },
        points,
        look,
        landmarks: [],
        curves: [],
      },
      { width, height: HEIGHT },
      this.hint,
    );
    holder.replaceChildren(chart);
  }

  private recallAndPrecision(system: number): Point[] {
    const scores = this.system(system).documents;
    return this.points(system).flatMap((point) => {
      const score = scores[point.place];
      if (!score || score.recall === null || score.precision === null) return [];
      const lines = [
        `recall ${percent(score.recall)}`,
        `precision ${percent(score.precision)}`,
        ...point.lines,
      ];
      return [{ ...point, x: score.recall, y: score.precision, lines }];
    });
  }

  private balance(holder: HTMLElement, width: number, points: Point[], look: number): void {
    const landmarks = this.report.systems.flatMap((system, number) => {
      const found = overall(system, this.report.metric.name);
      return found ? [{ x: found[0], y: found[1], name: system.name, look: hueOf(number) }] : [];
    });
    const all = [...points, ...landmarks];
    const least = Math.max(0, Math.min(...all.map((each) => Math.min(each.x, each.y))) - 0.05);
    const low = linear([least, 1], [0, 1]).ticks[0] ?? least;
    const size = { width, height: HEIGHT };
    const write = (value: number): string => percent(value, 0);
    holder.replaceChildren(
      scatter(
        {
          label: `Recall and precision of ${points.length} documents and of each system`,
          x: { label: "recall", write, scale: (range) => linear([low, 1], range) },
          y: { label: "precision", write, scale: (range) => linear([low, 1], range) },
          points,
          look,
          landmarks,
          curves: [0.2, 0.4, 0.6, 0.8, 0.9].map((f1) => ({
            name: `F₁ ${percent(f1, 0)}`,
            places: contour(f1, low),
          })),
        },
        size,
        this.hint,
      ),
    );
  }

  private errorBars(holder: HTMLElement, width: number): void {
    const { systems } = this.report;
    const order = this.kindsByGain();
    const kinds = order.flatMap((kind) => this.report.kinds[kind] ?? []);
    const series = systems.map((system, number): Series => {
      const found = order.map((kind) => system.errors.find((each) => each.kind === kind));
      return {
        name: system.name,
        look: hueOf(number),
        values: found.map((each) => (this.hasGains ? Math.max(each?.gain ?? 0, 0) : (each?.count ?? 0))),
        notes: found.map((each) => (!each?.count ? "0" : this.hasGains ? `${signed(each.gain ?? 0)} (${count(each.count)})` : count(each.count))),
      };
    });
    const names = kinds.map((kind) => kind.label);
    const { want } = this.actions;
    const pick = want && ((row: number, system: number): void => want({ kind: [order[row] ?? 0] }, system));
    const chart = bars({ label: `${say().Errors} by kind`, names, signs: kinds.map(signOf), series, pick }, width);
    holder.replaceChildren(...(systems.length > 1 ? [legend(series)] : []), chart);
  }

  /** Whether the gains of all kinds are known. */
  private get hasGains(): boolean {
    return this.report.systems.every(({ errors }) => errors.every((each) => each.gain !== null));
  }

  /** The word for members: clusters have members, entities have mentions. */
  private get members(): string {
    return this.report.clusters ? "member" : "mention";
  }

  private get things(): string {
    return this.report.clusters ? "clusters" : "entities";
  }

  private get sizeTitle(): string {
    return this.report.clusters ? "Clusters by size" : "Entities by size";
  }

  /** Order kinds by their largest gain in any system. */
  private kindsByGain(): number[] {
    const gains = this.report.kinds.map((_, kind) =>
      Math.max(...this.report.systems.map(({ errors }) => errors.find((each) => each.kind === kind)?.gain ?? 0)),
    );
    return gains.map((_, kind) => kind).sort((one, other) => (gains[other] ?? 0) - (gains[one] ?? 0));
  }

  private sizeBars(holder: HTMLElement, width: number): void {
    const { sizes, systems } = this.report;
    if (!sizes) return;
    const write = (values: number[]): string[] => values.map(count);
    const series: Series[] = [
      { name: this.report.annotator ?? "key", look: -1, values: sizes.key, notes: write(sizes.key) },
      ...sizes.systems.map((values, number) => ({
        name: systems[number]?.name ?? "",
        look: hueOf(number),
        values,
        notes: write(values),
      })),
    ];
    const names = sizes.labels.map((label) => `${label} ${label === "1" ? this.members : `${this.members}s`}`);
    const { want } = this.actions;
    // The first series is the key.
    const pick = want && ((size: number, place: number): void => want({ size: [size] }, place ? place - 1 : undefined));
    holder.replaceChildren(legend(series), bars({ label: this.sizeTitle, names, series, pick }, width));
  }

  private system(number: number): System {
    return this.report.systems[number] ?? { name: "", scores: [], errors: [], documents: [] };
  }
}

/** Hide sentences about clicks on paper. */
function hints(caption: string): (HTMLElement | string)[] {
  const start = caption.search(/(?:Click|Tap) /);
  return start < 0 ? [caption] : [caption.slice(0, start), h("span", { class: "on-screen" }, caption.slice(start))];
}

function legend(series: readonly Series[]): HTMLElement {
  const items = series.map((each) =>
    h("li", {}, h("i", { class: each.look < 0 ? "h-key" : `h${each.look}` }), each.name),
  );
  return h("ul", { class: "legend" }, ...items);
}

/** Return the recall and precision of a system. Those of CoNLL are means of its parts. */
function overall(system: System, metric: string): Pair | null {
  const names = metric === "conll" ? CONLL : [metric];
  const found = names.map((name) => system.scores.find((score) => score.metric === name));
  const sums: Pair = [0, 0];
  for (const score of found) {
    if (!score || score.recall === null || score.precision === null) return null;
    sums[0] += score.recall / names.length;
    sums[1] += score.precision / names.length;
  }
  return sums;
}

/** List points with the same F₁ within the drawing. */
export function contour(f1: number, low: number): Pair[] {
  const curve: Pair[] = [];
  for (let step = 0; step <= 60; step++) {
    const recall = f1 / 2 + ((1 - f1 / 2) * step) / 60;
    const precision = (f1 * recall) / (2 * recall - f1);
    if (recall >= low && precision >= low && precision <= 1) curve.push([recall, precision]);
  }
  return curve;
}
