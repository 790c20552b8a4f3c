/** The entities of a document: a grid of entities by sentences, and a table that can be sorted. */

import { responsive } from "./charts/frame";
import { button, choice, h, whileBusy } from "./dom";
import type { Library } from "./library";
import { hueOf } from "./hues";
import { at } from "./lists";
import { shortNames } from "./names";
import { count, counted, percent, signed } from "./numbers";
import { sideNames } from "./sides";
import { compared } from "./sorting";
import { say } from "./terms";
import type { Text } from "./text";
import { KEY, type Report, RESPONSE } from "./types";

const ROW = 22;
const NAME = 190;
const MOST_ROWS = 40;
const SHOWN = 25;

/** An entity of the key compared with the response. */
export interface EntityRow {
  entity: number;
  name: string;
  size: number;
  /** Mentions of the response entity that shares most mentions with it, the smallest of several. */
  responseSize: number;
  recall: number;
  precision: number | null;
  f1: number;
  /** The number of response entities that have its mentions. */
  parts: number;
  /** The number of its mentions that no response entity has. */
  missed: number;
  /** The number of other key entities with mentions in the same response entity. */
  merged: number;
  errors: number;
  /** What fixing all its errors gains. */
  gain: number | null;
}

export interface EntityActions {
  choose: (system: number) => void;
  open: (document: number, system: number, entity: number | null, mention: number | null, side: 0 | 1) => void;
}

/** Compare each entity of the key with that of the response, as `score --per-entity` does. */
export function entityRows(text: Text): EntityRow[] {
  const [key, response] = text.sides;
  return key.ofEntity.flatMap((mentions, entity) => {
    if (!mentions.length) return [];
    const shared = new Map<number, number>();
    for (const mention of mentions) {
      const partner = at(text.partner[KEY], mention);
      if (partner < 0 || !text.isMatched(KEY, mention)) continue;
      const other = response.entityOf(partner);
      shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    const sizeOf = (entity: number): number => at(response.ofEntity, entity).length;
    const best = [...shared].sort(
      (one, other) => other[1] - one[1] || sizeOf(one[0]) - sizeOf(other[0]) || one[0] - other[0],
    )[0];
    const found = best?.[1] ?? 0;
    const members = best ? at(response.ofEntity, best[0]) : [];
    const recall = found / mentions.length;
    const precision = members.length ? found / members.length : null;
    const others = new Set(
      members.flatMap((mention) => {
        const partner = at(text.partner[RESPONSE], mention);
        return partner < 0 || !text.isMatched(RESPONSE, mention) ? [] : [key.entityOf(partner)];
      }),
    );
    others.delete(entity);
    const errors = new Set(mentions.flatMap((mention) => text.errorsOf[KEY].get(mention) ?? []));
    return [
      {
        entity,
        name: text.nameOf(KEY, entity),
        size: mentions.length,
        responseSize: members.length,
        recall,
        precision,
        f1: precision === null ? 0 : (2 * found) / (mentions.length + members.length),
        parts: shared.size,
        missed: mentions.length - [...shared.values()].reduce((sum, size) => sum + size, 0),
        merged: others.size,
        errors: errors.size,
        gain: text.gainOf(entity),
      },
    ];
  });
}

type ColumnName = Exclude<keyof EntityRow, "entity">;
type EntityColumn = [ColumnName, string, string, (value: never) => string];

/** Describe the columns, with the names of annotators. */
function columnsOf(report: Report, system: number): EntityColumn[] {
  const { titles, called } = sideNames(report, system);
  const [key, response] = called;
  return [
    ["name", "entity", "Its best mention: a name, a noun or a pronoun, and the longest of these", String],
    ["gain", "gain", `CoNLL points gained if all its ${say().error}s were ${say().fixed}. A dash: not computed, because others have costlier ${say().error}s`, gained],
    ["size", report.annotator ? titles[0] : "key", `Mentions in ${key}`, count],
    ["responseSize", report.annotator ? titles[1] : "response", `Mentions of the entity in ${response} that shares most of them`, count],
    ["recall", "recall", `Share of its mentions that the entity in ${response} has, with the same boundaries`, percent],
    ["precision", "precision", `Share of the mentions of that entity that ${key} has in this one`, percent],
    ["f1", "F₁", "Harmonic mean of recall and precision", percent],
    ["parts", "parts", `Entities in ${response} that have mentions of it`, count],
    ["missed", "missed", `Mentions that no entity of ${response} has, or only with other boundaries`, count],
    ["merged", "merged with", `Other entities in ${key} with mentions in this entity`, count],
    ["errors", `${say().error}s`, `${say().Errors} that concern its mentions`, count],
  ];
}

function gained(value: number | null): string {
  return value === null ? "–" : signed(value, 3);
}

/** Entities of one document at a time. */
export class EntityView {
  private readonly grid = h("div", { class: "grid-holder" });
  private readonly table = h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Entities" });
  private readonly more = h("p", { class: "more" });
  private readonly choices = h("p", { class: "chooser" });
  private readonly canvas = h("canvas", { class: "grid", role: "img" });
  private readonly caption = h("p", { class: "caption" });
  private drawAgain = (): void => undefined;
  private document = -1;
  private system = -1;
  private limit = SHOWN;
  private sort: { column: ColumnName; sign: number } = { column: "gain", sign: -1 };

  constructor(
    private readonly report: Report,
    private readonly library: Library,
    private readonly actions: EntityActions,
    private readonly holder: HTMLElement,
  ) {
    holder.replaceChildren(
      h("div", { class: "heading" }, h("h2", {}, "Entities"), this.choices),
      this.caption,
      this.grid,
      this.table,
      this.more,
    );
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
    addEventListener("afterprint", () => this.redraw());
    responsive(this.grid, () => this.redraw());
  }

  /** Redraw the grid in other colours or at another width. */
  redraw(): void {
    this.drawAgain();
  }

  /** Draw the grid in the colours of paper. */
  print(): void {
    const { dataset } = document.documentElement;
    const theme = dataset["theme"];
    dataset["theme"] = "light";
    this.redraw();
    if (theme) dataset["theme"] = theme;
    else delete dataset["theme"];
  }

  /** Return the caption of the grid. */
  private describe(): void {
    const [key, response] = sideNames(this.report, this.system).called;
    const caption =
      `A row for each entity of ${key}, a column for each sentence. Upper marks are mentions in ${key}, lower marks ` +
      `are those in ${response}. Red marks are ${say().error}s.`;
    this.caption.replaceChildren(caption, h("span", { class: "on-screen" }, " Click a mark to go there."));
  }

  /** Show the document with the lowest score, unless another one was chosen. */
  async draw(system: number): Promise<void> {
    const places = this.report.documents.flatMap((each, place) => (each.has_text ? [place] : []));
    this.holder.hidden = !places.length;
    if (!places.length || (this.system === system && this.document >= 0)) return;
    this.system = system;
    const score = (place: number): number => this.report.systems[system]?.documents[place]?.before?.[2] ?? this.report.systems[system]?.documents[place]?.f1 ?? 2;
    if (this.document < 0) this.document = [...places].sort((one, other) => score(one) - score(other) || one - other)[0] ?? 0;
    const names = shortNames(this.report.documents.map((each) => each.name));
    const labels = places.map((place) => names[place] || "(no name)");
    const chosen = choice("Document", labels, places.indexOf(this.document), (place) => {
      this.document = at(places, place);
      this.limit = SHOWN;
      void whileBusy(this.holder, this.fill());
    });
    const systems = this.report.systems.map((each) => each.name);
    const ofSystem = choice(say().system, systems, system, this.actions.choose);
    this.choices.replaceChildren(
      h("label", {}, "Document ", chosen),
      ...(systems.length > 1 ? [h("label", {}, `${say().system} `, ofSystem)] : []),
    );
    this.describe();
    await this.fill();
  }

  private async fill(): Promise<void> {
    const asked = [this.document, this.system].join();
    const text = await this.library.text(this.document, this.system);
    if (asked !== [this.document, this.system].join()) return;
    const rows = entityRows(text);
    this.drawAgain = () => this.drawGrid(text, rows);
    this.redraw();
    this.drawTable(rows);
  }

  private drawTable(rows: EntityRow[]): void {
    const { column, sign } = this.sort;
    const sorted = [...rows].sort(
      (one, other) => compared(one[column], other[column], sign) || other.errors - one.errors || other.size - one.size || one.entity - other.entity,
    );
    const hasGains = rows.some((row) => row.gain !== null);
    const columns = columnsOf(this.report, this.system).filter(([name]) => name !== "gain" || hasGains);
    const heads = columns.map(([name, label, title]) => {
      const head = h("th", { scope: "col", title });
      if (name === column) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const sortBy = (): void => {
        this.sort = { column: name, sign: name === column ? -sign : name === "name" ? 1 : -1 };
        this.drawTable(rows);
      };
      head.append(button(label, sortBy));
      return head;
    });
    const body = sorted.slice(0, this.limit).map((row) =>
      h(
        "tr",
        {},
        h(
          "th",
          { scope: "row" },
          button(row.name || "∅", () => this.actions.open(this.document, this.system, row.entity, null, KEY), {
            class: "opens-document",
            dir: "auto",
          }),
        ),
        ...columns.slice(1).map(([name, , , write]) => h("td", {}, write(row[name] as never))),
      ),
    );
    const left = sorted.length - body.length;
    const table = h("table", { class: "entity-table" }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...body));
    const showAll = (): void => {
      this.limit = Infinity;
      this.drawTable(rows);
    };
    this.table.replaceChildren(table);
    this.more.replaceChildren(left > 0 ? button(`Show ${counted(left, "more entity", "more entities")}`, showAll) : "");
  }

  /** Draw the largest entities. A novel has more sentences than pixels, so marks may share a pixel. */
  private drawGrid(text: Text, rows: EntityRow[]): void {
    const largest = [...rows].sort((one, other) => other.size - one.size || one.entity - other.entity).slice(0, MOST_ROWS);
    if (!largest.length) return this.grid.replaceChildren(h("p", { class: "caption" }, "The key has no entities in this document."));
    const { canvas } = this;
    const size = `${counted(largest.length, "entity", "entities")} by ${counted(text.sentences.length, "sentence")}`;
    canvas.setAttribute("aria-label", `${size}. The table below has the same entities.`);
    if (!canvas.isConnected) this.grid.replaceChildren(canvas);
    const width = Math.max(this.grid.clientWidth, 300);
    const name = width < 600 ? 100 : NAME;
    const height = largest.length * ROW + 20;
    const zoom = devicePixelRatio || 1;
    [canvas.width, canvas.height] = [width * zoom, height * zoom];
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.scale(zoom, zoom);
    const style = getComputedStyle(document.documentElement);
    const colour = (which: string): string => style.getPropertyValue(which).trim();
    pen.fillStyle = getComputedStyle(document.body).getPropertyValue("--paper").trim();
    pen.fillRect(0, 0, width, height);
    const step = (width - name) / Math.max(text.sentences.length, 1);
    const thick = Math.max(Math.min(step - 1, 14), 1.5);
    const places: { x: number; y: number; side: 0 | 1; mention: number }[] = [];
    pen.font = `12px ${style.fontFamily}`;
    largest.forEach(({ entity, name: words }, row) => {
      const top = row * ROW;
      pen.fillStyle = colour("--rule");
      pen.fillRect(0, top + ROW - 1, width, 1);
      pen.fillStyle = colour("--ink");
      pen.fillText(fitting(pen, words || "∅", name - 12), 0, top + 15);
      const counterpart = text.counterpart(KEY, entity);
      for (const side of [KEY, RESPONSE]) {
        const owner = side === KEY ? entity : counterpart;
        const y = top + (side === KEY ? 3 : 12);
        for (const isWrong of [false, true])
          for (const mention of text.sides[side].ofEntity[owner] ?? []) {
            if (text.errorsOf[side].has(mention) !== isWrong) continue;
            const x = name + text.sentenceOf(text.sides[side].firstToken(mention)) * step;
            pen.fillStyle = colour(isWrong ? "--wrong" : side === KEY ? "--h-key" : `--h${hueOf(this.system)}`);
            pen.fillRect(x, y, thick, 7);
            places.push({ x: x + thick / 2, y: y + 3.5, side, mention });
          }
      }
    });
    pen.fillStyle = colour("--faint");
    pen.fillText("sentence 1", name, height - 4);
    const last = `sentence ${count(text.sentences.length)}`;
    pen.fillText(last, width - pen.measureText(last).width, height - 4);
    canvas.onclick = (event): void => {
      const box = canvas.getBoundingClientRect();
      const x = ((event.clientX - box.left) * width) / box.width;
      const y = ((event.clientY - box.top) * height) / box.height;
      const near = places
        .map((place) => ({ ...place, far: Math.hypot(place.x - x, 2 * (place.y - y)) }))
        .sort((one, other) => one.far - other.far)[0];
      const row = largest[Math.floor(y / ROW)];
      if (x >= name && near && near.far < 20) this.actions.open(this.document, this.system, null, near.mention, near.side);
      else if (row) this.actions.open(this.document, this.system, row.entity, null, KEY);
    };
  }
}

/** Shorten a text to a width. */
function fitting(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 1 && pen.measureText(`${text.slice(0, length)}…`).width > width) length--;
  return `${text.slice(0, length)}…`;
}
