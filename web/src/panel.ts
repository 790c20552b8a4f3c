/** The panel next to the text: the entities, or details of the selected one. */

import { type Chain, NOWHERE, other, whereTo } from "./chain";
import { button, h } from "./dom";
import { signOf } from "./errors";
import { copyButton } from "./export";
import { classesOf, nameOfClass } from "./filter";
import { at } from "./lists";
import { count, counted } from "./numbers";
import { lookClass } from "./paint";
import type { SideNames } from "./sides";
import type { Known } from "./catalogue";
import type { Place } from "./state";
import { say } from "./terms";
import type { PlacedError, Text } from "./text";
import { type Kind, type SideNumber } from "./types";

const SHOWN = 60;
const FOUND = "Found: matched with a mention of any entity. Mentions with other boundaries are not found.";
const WHY: Record<string, string> = {
  exact: "the words are the same",
  head: "the heads are the same",
  partial: "it has the same head and no extra words",
  craft: "its words lie within the first span of the key mention",
  min: "the minimum spans are the same",
  zero: "the empty nodes depend on the same word",
};

/** What can be done in the panel. */
export interface Actions {
  choose: (place: Place) => void;
  chooseEntity: (place: Place) => void;
  only: (place: Place | null) => void;
  close: () => void;
  /** What the report knows about an error; nothing where it has no list of errors. */
  know: (error: PlacedError) => Known | null;
}

export interface Chosen {
  place: Place | null;
  chain: Chain;
  error: PlacedError | null;
  isOnly: boolean;
}

export class Panel {
  readonly element = h("aside", { class: "panel", "aria-label": "Selection" });

  constructor(
    private readonly text: Text,
    private readonly kinds: readonly Kind[],
    private readonly names: SideNames,
    private readonly actions: Actions,
  ) {}

  /** List the entities, the largest first. */
  showEntities(): void {
    this.element.classList.remove("open");
    const lists = ([0, 1] as const).map((side) => this.entityList(side));
    this.element.replaceChildren(...lists.flatMap((list) => (list ? [list] : [])));
  }

  /** Show a mention with its chain, or a chain alone. */
  show(chosen: Chosen): void {
    const { chain } = chosen;
    this.element.classList.add("open");
    const close = button("×", this.actions.close, { class: "close", "aria-label": "Close" });
    this.element.replaceChildren(
      h("header", {}, this.title(chain.side, chain.entity), close),
      ...(chosen.error ? [this.errorCard(chosen.error, true)] : []),
      ...(chosen.place ? this.mentionCard(chosen.place, chosen.error) : []),
      this.fate(chain),
      this.onlyButton(chosen),
      ...this.chains(chain),
    );
    this.element.scrollTop = 0;
  }

  private entityList(side: SideNumber): HTMLElement | null {
    const { text } = this;
    const found = text.sides[side];
    const entities = found.ofEntity.map((_, entity) => entity);
    const own = side ? entities.filter((entity) => at(found.looks.main, entity) < 0) : entities;
    const sorted = own
      .filter((entity) => at(found.ofEntity, entity).length)
      .sort((a, b) => at(found.ofEntity, b).length - at(found.ofEntity, a).length || a - b);
    if (!sorted.length) return null;
    const title = side ? `Only in ${this.names.called[side]}` : "Entities";
    const list = h("ul", { class: "entities" });
    const fill = (limit: number): void => {
      list.replaceChildren(...sorted.slice(0, limit).map((entity) => this.entityItem(side, entity)));
      if (sorted.length > limit)
        list.append(
          h(
            "li",
            {},
            button(`Show ${count(sorted.length - limit)} more`, () => fill(limit + 500), { class: "more" }),
          ),
        );
    };
    fill(SHOWN);
    const unit = side ? "mentions" : "found / mentions";
    return h(
      "section",
      {},
      h(
        "h2",
        { class: "list-title" },
        title,
        h("small", {}, count(sorted.length)),
        h("small", { class: "unit", title: side ? "" : FOUND }, unit),
      ),
      list,
    );
  }

  private entityItem(side: SideNumber, entity: number): HTMLElement {
    const open = h(
      "button",
      { type: "button" },
      this.swatch(side, entity),
      h("span", { class: "words", dir: "auto" }, this.text.nameOf(side, entity)),
      h("small", {}, this.sizes(side, entity)),
    );
    open.addEventListener("click", () => this.actions.chooseEntity({ side, number: entity }));
    return h("li", {}, open);
  }

  /** Count the mentions of an entity, and those that were found. */
  private sizes(side: SideNumber, entity: number): string {
    const size = (this.text.sides[side].ofEntity[entity] ?? []).length;
    const found = (this.text.sides[side].ofEntity[entity] ?? []).filter((mention) =>
      this.text.isMatched(side, mention),
    ).length;
    return side ? String(size) : `${found}/${size}`;
  }

  private title(side: SideNumber, entity: number): HTMLElement {
    return h("h2", { dir: "auto" }, this.swatch(side, entity), this.text.nameOf(side, entity));
  }

  private swatch(side: SideNumber, entity: number): HTMLElement {
    const { label, look } = this.text.sides[side].looks;
    return h("span", { class: `swatch ${lookClass(look[entity] ?? -1)}` }, label[entity] ?? "");
  }

  private errorCard(error: PlacedError, isPresent: boolean): HTMLElement {
    const kind = this.kinds[error.kind];
    const known = this.actions.know(error);
    const label = known?.mark && (known.mark.status || "remark");
    const title = known?.mark?.remark || `Mark this ${say().error} as seen, ${say().mark}, or write a remark`;
    return h(
      "div",
      { class: isPresent ? "error present" : "error" },
      h("strong", {}, h("b", { class: "sign" }, signOf(kind)), kind?.label ?? ""),
      known &&
        button(label ?? "add mark", known.edit, {
          class: label ? "link mark marked" : "link mark",
          "aria-label": `${label ? `${label}, change the mark` : "add mark"}: ${known.said}`,
          title,
        }),
      isPresent && copyButton("copy link", () => location.href),
      h("p", { dir: "auto" }, known?.said || kind?.meaning || ""),
      known?.gain ? h("p", { class: "about" }, known.gain) : null,
      known?.mark?.remark ? h("p", { class: "remark", dir: "auto" }, known.mark.remark) : null,
    );
  }

  private mentionCard({ side, number }: Place, present: PlacedError | null): HTMLElement[] {
    const { text } = this;
    const found = text.sides[side];
    const about = [
      `mention in ${this.names.called[side]}`,
      nameOfClass(found.classOf(number) ?? "", classesOf(text)),
      `sentence ${text.sentenceOf(found.firstToken(number)) + 1}`,
    ];
    const errors = (text.errorsOf[side].get(number) ?? [])
      .map((error) => at(text.errors, error))
      .filter((error) => error !== present);
    return [
      h(
        "div",
        { class: "mention" },
        h("p", { class: "phrase", dir: "auto" }, `“${text.phrase(side, number)}”`),
        h("p", { class: "about" }, about.filter(Boolean).join(" · ")),
        this.alignment(side, number),
      ),
      ...errors.map((error) => this.errorCard(error, false)),
    ];
  }

  private alignment(side: SideNumber, mention: number): HTMLElement {
    const { text } = this;
    const partner = at(text.partner[side], mention);
    if (partner < 0)
      return h(
        "p",
        { class: "alignment" },
        `Not a mention in ${this.names.called[other(side)]}.`,
      );
    const away = other(side);
    const why = text.why(side ? mention : partner);
    const reason = WHY[why] ?? `match ${why}`;
    const link = button(
      `“${text.phrase(away, partner)}”`,
      () => this.actions.choose({ side: away, number: partner }),
      { class: "link", dir: "auto" },
    );
    if (!text.isMatched(side, mention))
      return h("p", { class: "alignment" }, `Not matched. It overlaps in ${this.names.called[away]} with `, link, ".");
    return h("p", { class: "alignment" }, `Matched in ${this.names.called[away]} with `, link, `: ${reason}.`);
  }

  /** Describe which entities of the other side have the mentions of an entity. */
  private fate(chain: Chain): HTMLElement {
    const { text } = this;
    const away = other(chain.side);
    const label = text.sides[chain.side].data.entities[chain.entity] ?? "";
    const items = whereTo(text, chain.side, chain.entity).map(([entity, size]) => {
      if (entity < 0)
        return h(
          "li",
          {},
          h("span", { class: "swatch none" }, "·"),
          entity === NOWHERE
            ? `${count(size)} not in ${this.names.called[away]}`
            : `${count(size)} with other boundaries in ${this.names.called[away]}`,
        );
      const go = button(
        text.calledOf(away, entity),
        () => this.actions.chooseEntity({ side: away, number: entity }),
        { class: "link", dir: "auto" },
      );
      return h("li", {}, this.swatch(away, entity), h("span", { class: "size" }, `${count(size)} in`), go);
    });
    const size = (text.sides[chain.side].ofEntity[chain.entity] ?? []).length;
    const heading = `${counted(size, "mention")} in ${this.names.called[chain.side]}${label ? ` (entity ${label})` : ""}:`;
    return h("div", { class: "fate" }, h("p", {}, heading), h("ul", {}, ...items));
  }

  private onlyButton({ chain, isOnly }: Chosen): HTMLElement {
    const label = isOnly ? "Show all entities" : "Show only this entity";
    const place = isOnly ? null : { side: chain.side, number: chain.entity };
    return button(label, () => this.actions.only(place), { class: "only", "aria-pressed": String(isOnly) });
  }

  private chains(chain: Chain): HTMLElement[] {
    const away = other(chain.side);
    const own = this.mentionList(chain.side, chain.entity, chain);
    return chain.counterpart < 0 ? [own] : [own, this.mentionList(away, chain.counterpart, chain)];
  }

  private mentionList(side: SideNumber, entity: number, chain: Chain): HTMLElement {
    const mentions = this.text.sides[side].ofEntity[entity] ?? [];
    const expected = side === chain.side ? chain.counterpart : chain.entity;
    const list = h("ol", { class: "mentions" });
    const fill = (limit: number): void => {
      list.replaceChildren(
        ...mentions.slice(0, limit).map((mention) => this.mentionItem(side, mention, expected)),
      );
      if (mentions.length > limit)
        list.append(
          h(
            "li",
            {},
            button(`Show ${count(mentions.length - limit)} more`, () => fill(limit + 500), { class: "more" }),
          ),
        );
    };
    fill(SHOWN);
    return h(
      "section",
      {},
      h("h3", {}, `In ${this.names.called[side]}`, h("small", {}, count(mentions.length))),
      list,
    );
  }

  private mentionItem(side: SideNumber, mention: number, expected: number): HTMLElement {
    const { text } = this;
    const partner = at(text.partner[side], mention);
    const entity = partner < 0 ? -1 : text.sides[other(side)].entityOf(partner);
    const [sign, meaning] = this.verdict(side, mention, entity === expected);
    const open = h(
      "button",
      { type: "button" },
      h("small", {}, String(text.sentenceOf(text.sides[side].firstToken(mention)) + 1)),
      h("span", { class: "words", dir: "auto" }, text.phrase(side, mention)),
      h("b", { class: sign === "✓" ? "right" : "sign", title: meaning, "aria-label": meaning }, sign),
    );
    open.addEventListener("click", () => this.actions.choose({ side, number: mention }));
    return h("li", {}, open);
  }

  /** Describe a mention of an entity by the signs of its errors and in words. */
  private verdict(side: SideNumber, mention: number, isExpected: boolean): [string, string] {
    const { text } = this;
    const errors = text.errorsOf[side].get(mention) ?? [];
    const kinds = [...new Set(errors.map((error) => at(text.errors, error).kind))].map((kind) => this.kinds[kind]);
    if (kinds.length) return [kinds.map(signOf).join(" "), kinds.map((kind) => kind?.label ?? "").join(", ")];
    if (at(text.partner[side], mention) < 0) return ["·", `not in ${this.names.called[other(side)]}`];
    if (!isExpected) return ["·", "in another entity"];
    return text.isMatched(side, mention) ? ["✓", say().correct] : ["·", "overlaps only"];
  }
}
