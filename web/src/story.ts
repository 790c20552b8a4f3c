/** What is wrong, and where to look first: a sentence, the missing points by kind, groups by gain, weak documents. */

import { button, byId, choice, h } from "./dom";
import { signOf } from "./errors";
import { shortNames } from "./names";
import { count, counted, percent, signed } from "./numbers";
import { say } from "./terms";
import type { Change, ErrorGroup, Report, System } from "./types";
import type { Wanted } from "./wanted";

/** Numbers of weak documents and of groups that are shown. */
const WEAKEST = 3;
const SHOWN = 6;

const SPLIT =
  "These groups split the parts of the bar by type of mention. Each figure is for fixing that group alone, so figures do not add up.";

export interface StoryActions {
  open: (document: number) => void;
  choose: (system: number) => void;
  /** List errors, with the class by its name; null if the page has no list. */
  want: ((change: Partial<Wanted>, system: number, className: string | null, beside?: number) => void) | null;
}

export class Story {
  private drawn = -1;

  constructor(
    private readonly report: Report,
    private readonly actions: StoryActions,
  ) {}

  /** Draw it for one system. */
  draw(number: number): void {
    const { report } = this;
    const system = report.systems[number];
    if (!system || !report.kinds.length || !system.errors.length || this.drawn === number) return;
    this.drawn = number;
    const title = say().wrong;
    const names = report.systems.map((each) => each.name);
    const heading = h("h2", {}, title);
    const chooser =
      names.length > 1 ? h("label", { class: "of-which" }, " in ", choice(say().system, names, number, this.actions.choose)) : null;
    byId("wrong").replaceChildren(
      h("div", { class: "story-head" }, heading, chooser),
      ...(system.sentence ? [h("p", { class: "sentence", dir: "auto" }, ...explained(system.sentence))] : []),
      ...this.missing(system, number),
      h("h2", {}, "Look here first"),
      ...(system.groups?.some((group) => group.class !== null) ? [h("p", { class: "caption" }, SPLIT)] : []),
      ...this.look(system, number),
      ...this.weakest(system, number),
    );
    document.getElementById("changes")?.replaceChildren(
      ...((!report.annotator && report.changes) || []).flatMap((change) => this.changes(change, number)),
    );
  }

  /** Draw the missing points as one bar with a part for each kind. */
  private missing(system: System, number: number): HTMLElement[] {
    const whole = 1 - (system.before ?? scoreOf(this.report, system));
    const gains = system.errors
      .flatMap(({ kind, gain }) => (gain !== null && gain > 0.00005 ? [{ kind, gain }] : []))
      .sort((one, other) => other.gain - one.gain);
    if (!gains.length || whole <= 0.00005) return [h("p", { class: "caption" }, this.withoutGains(system, whole))];
    const parts = gains.map(({ kind, gain }) => {
      const name = this.report.kinds[kind];
      const label = `${name?.label ?? ""} ${signed(gain, 1)}`;
      const title = `${label} points if only this kind were ${say().fixed}`;
      const made = this.actions.want
        ? button("", () => this.actions.want?.({ kind: [kind] }, number, null), { title, "aria-label": title })
        : h("span", { title });
      made.classList.add("missing-part", `part-${kind}`);
      made.append(h("span", {}, signed(gain, 1)));
      made.style.flexGrow = String(1000 * gain);
      return made;
    });
    const names = gains.map(({ kind, gain }) =>
      h("li", {}, h("i", { class: `part-${kind}` }), `${this.report.kinds[kind]?.label ?? ""} ${signed(gain)}`),
    );
    const rest = whole - gains.reduce((sum, { gain }) => sum + gain, 0);
    if (rest > 0.0005) {
      const title = `${signed(rest, 1)} points are gained only if several kinds are ${say().fixed} together`;
      const made = h("span", { class: "missing-part part-rest", title }, h("span", {}, signed(rest, 1)));
      made.style.flexGrow = String(1000 * rest);
      parts.push(made);
      names.push(h("li", { title }, h("i", { class: "part-rest" }), `several kinds together ${signed(rest)}`));
    }
    const points = percent(whole, 1);
    const start = system.before ? `The score from which gains start, ${percent(system.before)},` : "The score";
    const below = `${start} is ${points} points below ${say().perfect}.`;
    const sum = `The parts add up to ${percent(whole - rest, 1)} points, which is more, because their gains overlap.`;
    const caption = `${below} The width of a part is what ${say().fixing} only that kind would gain.${rest < -0.0005 ? ` ${sum}` : ""}`;
    const clicked = this.actions.want && h("span", { class: "on-screen" }, ` Click a part to list its ${say().error}s.`);
    return [
      h("div", { class: "missing", role: "group", "aria-label": `Missing points by kind of ${say().error}` }, ...parts),
      h("ul", { class: "legend missing-names" }, ...names),
      h("p", { class: "caption" }, caption, clicked),
    ];
  }

  /** Say why no kind of error gains anything. */
  private withoutGains({ errors }: System, whole: number): string {
    if (whole <= 0.00005) return say().complete;
    const { error, fixed } = say();
    if (errors.some(({ count }) => count)) return `No kind of ${error} gains points if only this kind is ${fixed}.`;
    return `No ${error}s. The other ${percent(whole)} points are missing because a metric that has nothing to count is 0.`;
  }

  private look(system: System, number: number): HTMLElement[] {
    const groups = system.groups?.length ? system.groups : this.kinds(system);
    const items = groups.slice(0, SHOWN).map((group) => this.group(group, number));
    if (!items.length) return [h("p", { class: "caption" }, say().nothing)];
    return [h("ol", { class: "look" }, ...items)];
  }

  /** List what another system fixes and breaks, compared with this one. */
  private changes({ first, second, fixes, breaks }: Change, number: number): HTMLElement[] {
    if (first !== number && second !== number) return [];
    const other = first === number ? second : first;
    const name = this.report.systems[other]?.name ?? "";
    const chosen = this.report.systems[number]?.name ?? "";
    const [better, worse] = first === number ? [fixes, breaks] : [breaks, fixes];
    const part = (verb: "fixes" | "breaks", groups: ErrorGroup[], of: number, beside: number): HTMLElement[] =>
      groups.length
        ? [
            h(
              "section",
              {},
              h("h3", { dir: "auto" }, `What “${name}” ${verb}`),
              h("ol", { class: "look" }, ...groups.slice(0, SHOWN).map((group) => this.group(group, of, { beside, verb }))),
            ),
          ]
        : [];
    const parts = [...part("fixes", better, number, other), ...part("breaks", worse, other, number)];
    if (!parts.length) return [];
    const [from, to] = [number, other].map((place) => this.report.systems[place]);
    const difference = from && to ? scoreOf(this.report, to) - scoreOf(this.report, from) : 0;
    const caption =
      `Below: errors of “${chosen}” that “${name}” does not make, and errors that only “${name}” makes. Each figure is for that ` +
      `group alone, so they do not add up to the difference of the scores (${name} − ${chosen}: ${signed(difference)}).`;
    const turn = button(`Show the changes from “${name}” to “${chosen}”`, () => this.actions.choose(other), { class: "link on-screen" });
    const heading = h("h2", { dir: "auto" }, `What changes from “${chosen}” to “${name}”`);
    const net = from && to ? this.net(from, to) : [];
    return [h("div", { class: "changes-head" }, heading, ...net, h("p", { class: "caption" }, caption, " ", turn)), ...parts];
  }

  /** List the groups in which one of two systems is better: those whose costs differ most. */
  private net(from: System, to: System): HTMLElement[] {
    const groups = netGroups(from, to).slice(0, SHOWN);
    if (!groups.length) return [];
    const caption = `What each group of errors costs the systems. A plus means that it costs “${to.name}” fewer points.`;
    const cost = ({ name }: System, { gain, count }: ErrorGroup): string => `${name} ${percent(gain ?? 0)} (${counted(count, say().error)})`;
    const items = groups.map(({ net, ours, theirs }) =>
      h(
        "li",
        {},
        h("b", { class: "look-gain" }, signed(net)),
        h("div", {}, h("span", {}, ours.title), h("small", { dir: "auto" }, `${cost(from, ours)} · ${cost(to, theirs)}`)),
      ),
    );
    const title = h("h3", { dir: "auto" }, `Where “${to.name}” is better or worse`);
    return [title, h("p", { class: "caption" }, caption), h("ol", { class: "look net" }, ...items)];
  }

  /** Make a group of each kind if the report has no groups, for example without texts. */
  private kinds(system: System): ErrorGroup[] {
    return system.errors
      .filter((each) => each.count && each.gain !== null)
      .sort((one, other) => (other.gain ?? 0) - (one.gain ?? 0))
      .map(({ kind, count, gain }) => {
        const { label = "", meaning = "" } = this.report.kinds[kind] ?? {};
        return { title: label, detail: meaning, count, gain, kind, class: null, words: null, document: null };
      });
  }

  /** Draw a group; errors that a system breaks cost it what fixing them would gain. */
  private group(group: ErrorGroup, number: number, change?: { beside: number; verb: "fixes" | "breaks" }): HTMLElement {
    const { want } = this.actions;
    const beside = change?.beside;
    const sign = change?.verb === "breaks" ? -1 : 1;
    const size = counted(group.count, say().error);
    const kind = group.kind === null ? undefined : this.report.kinds[group.kind];
    const wanted: Partial<Wanted> = {
      kind: group.kind === null ? [] : [group.kind],
      words: group.words,
      document: group.document === null ? [] : [group.document],
      who: beside === undefined ? "" : "only",
    };
    const link = want
      ? button(size, () => want(wanted, number, group.class, beside), { class: "link", "aria-label": `${group.title}: ${size}` })
      : h("span", {}, size);
    return h(
      "li",
      {},
      h("b", { class: "look-gain" }, group.gain === null ? "" : signed(sign * group.gain)),
      h(
        "div",
        { class: kind ? "signed" : "" },
        kind && h("b", { class: "sign", "aria-hidden": "true" }, signOf(kind)),
        h("span", { dir: "auto" }, group.title),
        group.detail ? h("small", { dir: "auto" }, group.detail) : null,
      ),
      link,
    );
  }

  /** List the documents with the lowest scores below a heading. */
  private weakest(system: System, number: number): HTMLElement[] {
    const { documents } = this.report;
    const scored = system.documents.flatMap(({ before, ...score }, place) => {
      const [recall, precision, f1] = before ?? [score.recall, score.precision, score.f1];
      return f1 === null || !documents[place] ? [] : [{ ...score, recall, precision, f1, place, of: before ? score.f1 : null }];
    });
    if (scored.length < 3) return [];
    const sorted = [...scored].sort((one, other) => one.f1 - other.f1 || (other.errors ?? 0) - (one.errors ?? 0));
    const median = medianOf(sorted.map(({ f1 }) => f1));
    const names = shortNames(documents.map((each) => each.name));
    const weak = sorted.slice(0, WEAKEST).filter(({ f1 }) => f1 < median);
    const items = weak.map(({ f1, recall, precision, place, errors, main_kind, of_main_kind, of }) => {
      const name = names[place] || "(no name)";
      const kind = this.report.kinds[main_kind ?? -1];
      const detail = [
        recall === null || precision === null || this.report.annotator ? "" : `recall ${percent(recall)}, precision ${percent(precision)}`,
        errors === null ? "" : counted(errors, say().error),
        kind ? `most frequent: ${kind.label} (${count(of_main_kind ?? 0)})` : "",
        of === null ? "" : `gains start from ${percent(f1)}; its score is ${percent(of)}`,
      ];
      const { want, open } = this.actions;
      const link = documents[place]?.has_text
        ? button("open it", () => open(place), { class: "link on-screen", "aria-label": `open it: ${name}` })
        : want
          ? button(`list its ${say().error}s`, () => want({ document: [place] }, number, null), { class: "link on-screen" })
          : null;
      return h(
        "li",
        {},
        h("b", { class: "look-gain" }, percent(f1)),
        h("div", {}, h("bdi", { title: documents[place]?.name ?? "" }, name), h("small", {}, detail.filter(Boolean).join("; "))),
        link,
      );
    });
    if (!items.length) return [];
    const heading = `${say().weakest} (${this.report.metric.label} F₁; median of all: ${percent(median)})`;
    return [h("h2", {}, heading), h("ol", { class: "look weak" }, ...items)];
  }
}

/** Compare what groups cost two systems. Groups with their own words or document have no counterpart. */
export function netGroups(from: System, to: System): { net: number; ours: ErrorGroup; theirs: ErrorGroup }[] {
  const isWide = (group: ErrorGroup): boolean => group.words === null && group.document === null && group.gain !== null;
  const wide = (system: System): ErrorGroup[] => (system.groups ?? []).filter(isWide);
  const isSame = (one: ErrorGroup, other: ErrorGroup): boolean => one.kind === other.kind && one.class === other.class;
  return wide(from)
    .flatMap((ours) => {
      const theirs = wide(to).find((group) => isSame(group, ours));
      const net = (ours.gain ?? 0) - (theirs?.gain ?? 0);
      return theirs && Math.abs(net) > 0.00005 ? [{ net, ours, theirs }] : [];
    })
    .sort((one, other) => Math.abs(other.net) - Math.abs(one.net));
}

/** Explain the response where a sentence first names it, as the head of the page explains the key. */
function explained(sentence: string): (HTMLElement | string)[] {
  const [before = "", ...rest] = sentence.split(/\bresponse\b/);
  if (!rest.length) return [sentence];
  const meaning = "Response: the output of a system";
  const term = h("span", { class: "term", tabindex: 0, "data-meaning": meaning }, "response");
  term.append(h("span", { class: "unseen" }, `: ${meaning}`));
  return [before, term, rest.join("response")];
}

/** Return the median of figures in ascending order. */
function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

function scoreOf(report: Report, system: System): number {
  return system.scores.find((score) => score.metric === report.metric.name)?.f1 ?? 1;
}
