// The drawing of each metric: what it sees of a key and a response, as SVG.

import { percent } from "../src/numbers";
import {
  BOX,
  type Place,
  RADIUS,
  type Row,
  type Side,
  bar,
  drawBox,
  drawMention,
  layOut,
  line,
  opposite,
  round,
  text,
} from "./layout";
import { LABELS, count, leaShare, pairing, phi4, score } from "./metrics";
import { type Entities, type Table, owners, swap, tabulate } from "./table";
import type { Sides } from "./variants";
import { type Span, judgeZeros, overlaps } from "./words";

export type Drawn =
  | "mentions"
  | "muc"
  | "bcub"
  | "ceafm"
  | "ceafe"
  | "blanc"
  | "lea"
  | "conll"
  | "pairwise"
  | "zeros";

export interface Picture {
  body: string;
  width: number;
  height: number;
}

const QUESTIONS: Record<Drawn, [string, string]> = {
  mentions: ["Recall: which key mentions does the response have?", "Precision: which response mentions are in the key?"],
  muc: ["Recall: which links of the key are kept?", "Precision: which links of the response are right?"],
  bcub: [
    "Recall: of each key mention’s entity, how much has its colour?",
    "Precision: of each response mention’s entity, how much has its colour?",
  ],
  ceafm: ["Key entities", "Response entities"],
  ceafe: ["Key entities", "Response entities"],
  blanc: ["Key: links inside entities, non-links across", "Response: links inside entities, non-links across"],
  lea: ["Recall: which share of each key entity’s links is kept?", "Precision: which share of each response entity’s links is right?"],
  conll: ["Key, coloured by response entity", "Response, coloured by key entity"],
  pairwise: ["Recall: which pairs of the key are kept?", "Precision: which pairs of the response are right?"],
  zeros: ["Key: a zero starts with 0", "Response: a zero starts with 0"],
};
const BELOW: Record<Drawn, number> = {
  mentions: 26, muc: 30, bcub: 46, ceafm: 14, ceafe: 14, blanc: 14, lea: 78, conll: 14, pairwise: 78, zeros: 30,
}; // prettier-ignore
const CAPTION = 26;
const LETTER = 6.9;
const BETWEEN = 84;

/** One side of an example, with the entity of each mention on the other side. */
interface View {
  row: Row;
  table: Table;
  entities: Entities;
  other: Map<string, number>;
}

/** The key answers for recall, the response for precision; both may be compared with different entities. */
export function draw(
  metric: Drawn,
  key: Entities,
  response: Entities,
  width: number,
  [keyOfPrecision, ofPrecision]: Sides = [key, response],
): Picture {
  const table = tabulate(key, response);
  const isAligned = metric === "ceafm" || metric === "ceafe";
  const room = isAligned ? Infinity : width;
  const owner = { key: owners(keyOfPrecision, "key"), response: owners(response, "response") };
  const [above, below] = QUESTIONS[metric];
  const captions = { key: fold(above, width), response: fold(below, width) };
  const view = (side: Side, top: number): View => {
    const other = owner[opposite(side)];
    const entities = side === "key" ? key : ofPrecision;
    const ordered = metric === "muc" ? entities.map((entity) => byPiece(entity, other)) : entities;
    return {
      row: layOut(side, ordered, top + 10 + 16 * captions[side].length, room, BELOW[metric]),
      table: side === "key" ? table : swap(tabulate(keyOfPrecision, ofPrecision)),
      entities: ordered,
      other,
    };
  };
  const first = view("key", 0);
  const second = view("response", first.row.bottom + (isAligned ? BETWEEN - CAPTION : 12));
  const secondTop = isAligned ? second.row.bottom + 2 : first.row.bottom + 28;
  const parts = [
    ...captions.key.map((part, index) => text(1, 16 + 16 * index, part, "caption", "start")),
    ...captions.response.map((part, index) => text(1, secondTop + 16 * index, part, "caption", "start")),
    ...[first, second].flatMap((side) => drawSide(metric, side)),
  ];
  let height = second.row.bottom + (isAligned ? 12 : 0);
  let right = Math.max(first.row.width, second.row.width);
  if (isAligned) parts.push(drawAlignment(metric, table, first.row, second.row));
  const extra = metric === "blanc" ? drawPairs(owner) : metric === "conll" ? drawMean(key, response) : null;
  if (extra) {
    parts.push(`<g transform="translate(0 ${height + 6})">${extra.body}</g>`);
    height += 6 + extra.height;
    right = Math.max(right, extra.width);
  }
  if (metric === "zeros") {
    const verdicts = judgeZeros(key, response);
    for (const { row } of [first, second])
      for (const place of row.boxes.flatMap((box) => box.places)) {
        const verdict = verdicts[row.side].get(place.mention);
        if (verdict) parts.push(text(place.x, place.y + RADIUS + 24, verdict, verdict === "TP" ? "figure" : "figure wrong"));
      }
  }
  return { body: parts.join(""), width: Math.max(right + 2, Math.min(width, 460)), height };
}

/** Lines of a caption that fit into a width. */
function fold(caption: string, width: number): string[] {
  const lines = [""];
  for (const word of caption.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length * LETTER > width && lines.at(-1) !== "") lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function byPiece(entity: readonly string[], other: Map<string, number>): string[] {
  const rank = (mention: string): number => other.get(mention) ?? Infinity;
  return [...entity].sort((one, two) => (rank(one) === rank(two) ? 0 : rank(one) - rank(two)));
}

function drawSide(metric: Drawn, view: View): string[] {
  const { row, other } = view;
  return row.boxes.flatMap((box) => [
    drawBox(box, row.side),
    metric === "muc" ? drawChain(box.places, other) : "",
    ...box.places.map((place) => drawMention(place, row.side, other.get(place.mention))),
    drawBelow(metric, view, box.entity),
  ]);
}

/** What a metric writes below an entity. */
function drawBelow(metric: Drawn, view: View, entity: number): string {
  const box = view.row.boxes[entity]!;
  const { places } = box;
  const [middle, low] = [box.x + box.width / 2, box.y + BOX];
  const size = places.length;
  const cells = view.table.cells.filter((cell) => cell.key === entity);
  switch (metric) {
    case "mentions": {
      const shared = places.filter((place) => view.other.has(place.mention)).length;
      return text(middle, low + 17, `${shared}/${size}`, "figure");
    }
    case "muc": {
      const kept = cells.reduce((sum, cell) => sum + cell.shared - 1, 0);
      return text(middle, low + 18, size === 1 ? "no link" : `${kept}/${size - 1}`, "figure");
    }
    case "bcub":
      return places.map((place) => drawCredit(place, cells, view, size)).join("");
    case "lea":
    case "pairwise": {
      const [, right, links] = leaShare(view.table, entity);
      const none = size === 1 && metric === "pairwise";
      const label = metric === "lea" ? `${right}/${links} × ${size}` : none ? "no pair" : `${right}/${links}`;
      const arcs = metric === "pairwise" || size > 1 ? drawArcs(places, view.other, low) : "";
      return arcs + text(middle, low + 66, label, "figure");
    }
    default:
      return "";
  }
}

function drawCredit(place: Place, cells: Table["cells"], view: View, size: number): string {
  const other = view.other.get(place.mention);
  const shared = cells.find((cell) => cell.response === other)?.shared ?? 0;
  const [x, y] = [place.x - RADIUS, place.y + RADIUS + 16];
  return (
    bar(x, y, 2 * RADIUS, 6, "track") +
    bar(x, y, (2 * RADIUS * shared) / size, 6, "bar") +
    text(place.x, y + 22, `${shared}/${size}`, "figure")
  );
}

/** The links that connect an entity's mentions: dashed where the other side separates them. */
function drawChain(places: readonly Place[], other: Map<string, number>): string {
  return places
    .slice(1)
    .map((place, index) => {
      const before = places[index]!;
      const isKept = isTogether(before.mention, place.mention, other);
      return line(before.x + RADIUS, before.y, place.x - RADIUS, place.y, isKept ? "link" : "link missing");
    })
    .join("");
}

function isTogether(one: string, two: string, other: Map<string, number>): boolean {
  return other.get(one) !== undefined && other.get(one) === other.get(two);
}

/** An arc for each pair of an entity: solid if the other side has it. */
function drawArcs(places: readonly Place[], other: Map<string, number>, top: number): string {
  const reach = Math.max(1, places.length - 1);
  return pairsOf(places)
    .map(([one, two, distance]) => {
      const style = isTogether(one.mention, two.mention, other) ? "link" : "link missing";
      const depth = 12 + (58 * distance) / Math.max(3, reach);
      return `<path d="M${round(one.x)} ${top + 1}Q${round((one.x + two.x) / 2)} ${round(top + depth * 1.25)} ${round(two.x)} ${top + 1}" class="${style}"/>`;
    })
    .join("");
}

function pairsOf<Item>(items: readonly Item[]): [Item, Item, number][] {
  return items.flatMap((one, index) =>
    items.slice(index + 1).map((two, offset): [Item, Item, number] => [one, two, offset + 1]),
  );
}

function drawAlignment(metric: Drawn, table: Table, key: Row, response: Row): string {
  const chosen = pairing(table, metric === "ceafm" ? (cell) => cell.shared : (cell) => phi4(table, cell));
  const isChosen = (cell: Table["cells"][number]): boolean =>
    chosen.some((edge) => edge.key === cell.key && edge.response === cell.response);
  const ordered = [...table.cells].sort((one, two) => Number(isChosen(one)) - Number(isChosen(two)));
  return ordered
    .map((cell) => {
      const [above, below] = [key.boxes[cell.key]!, response.boxes[cell.response]!];
      const [x1, x2] = [above.x + above.width / 2, below.x + below.width / 2];
      const [y1, y2] = [above.y + BOX, below.y];
      const style = isChosen(cell) ? "link" : "link missing";
      const sizes = table.key[cell.key]! + table.response[cell.response]!;
      const label = metric === "ceafm" ? `${cell.shared}` : `${2 * cell.shared}/${sizes}`;
      const [x, y] = [x1 + (x2 - x1) * 0.4, y1 + (y2 - y1) * 0.4];
      const half = 5 + 4 * label.length;
      return (
        line(x1, y1, x2, y2, style) +
        `<rect x="${round(x - half)}" y="${round(y - 11)}" width="${2 * half}" height="21" rx="4" class="plate"/>` +
        text(x, y + 4, label, isChosen(cell) ? "figure strong" : "figure faint")
      );
    })
    .join("");
}

/** A square for each pair of mentions: what the key and the response say about it. */
function drawPairs(owner: Record<Side, Map<string, number>>): Picture {
  const mentions = [...new Set([...owner.key.keys(), ...owner.response.keys()])];
  const size = 22;
  const left = 24;
  const parts: string[] = [];
  const kindOf = (side: Side, one: string, two: string): "" | "C" | "N" => {
    const [first, second] = [owner[side].get(one), owner[side].get(two)];
    return first === undefined || second === undefined ? "" : first === second ? "C" : "N";
  };
  mentions.forEach((mention, row) => {
    parts.push(text(left - 8, 22 + row * size + 15, mention.slice(0, 3), "figure", "end"));
    parts.push(text(left + row * size + 11, 14 + row * size, mention.slice(0, 3), "figure"));
    mentions.slice(0, row).forEach((other, column) => {
      const [key, response] = [kindOf("key", other, mention), kindOf("response", other, mention)];
      const [x, y] = [left + column * size, 22 + row * size];
      const isBoth = key !== "" && key === response;
      const style = isBoth ? (key === "C" ? "square linked" : "square apart") : key || response ? "square differs" : "square";
      const sign = isBoth ? key : `${key || "·"}${response || "·"}`;
      parts.push(bar(x + 1, y + 1, size - 2, size - 2, style));
      if (key || response) parts.push(text(x + 11, y + 15, sign, key === "C" && isBoth ? "small inverse" : "small"));
    });
  });
  const legend = left + mentions.length * size + 14;
  const rows: [string, string, string][] = [
    ["square linked", "C", "linked on both sides"],
    ["square apart", "N", "kept apart on both sides"],
    ["square differs", "CN", "key links, response keeps apart"],
    ["square differs", "·C", "only the response has both mentions"],
  ];
  rows.forEach(([style, sign, meaning], index) => {
    const y = 26 + index * 26;
    parts.push(bar(legend, y, 20, 20, style));
    parts.push(text(legend + 10, y + 14, sign, style.endsWith("linked") ? "small inverse" : "small"));
    parts.push(text(legend + 28, y + 15, meaning, "caption", "start"));
  });
  return {
    body: parts.join(""),
    width: legend + 280,
    height: Math.max(28 + mentions.length * size, 26 * 5),
  };
}

/** The three F₁ of CoNLL F₁ as bars, and their mean. */
function drawMean(key: Entities, response: Entities): Picture {
  const scores = score(count(key, response));
  const bars: [string, number, string][] = [
    [LABELS.muc, scores.muc.f1, "bar"],
    [LABELS.bcub, scores.bcub.f1, "bar"],
    [LABELS.ceafe, scores.ceafe.f1, "bar"],
    [`${LABELS.conll} F₁`, scores.conll.f1, "bar mean"],
  ];
  const full = 300;
  const parts = bars.map(([label, value, style], index) => {
    const y = 10 + index * 26;
    return (
      text(76, y + 11, label, "figure", "end") +
      bar(84, y, full, 14, "track") +
      bar(84, y, full * Math.min(1, value), 14, style) +
      text(84 + full + 8, y + 12, percent(value), "figure", "start")
    );
  });
  return { body: parts.join(""), width: 84 + full + 60, height: 10 + 26 * bars.length };
}

/** Words as ticks, key mentions above them and response mentions below, pairs joined. */
export function drawSpans(key: readonly Span[], response: readonly Span[], width: number): Picture {
  const last = Math.max(1, ...key.map((span) => span[1]), ...response.map((span) => span[1]));
  const step = Math.max(18, Math.min(44, (width - 8) / last));
  const lanes = { key: stack(key), response: stack(response) };
  const levels = { key: Math.max(0, ...lanes.key) + 1, response: Math.max(0, ...lanes.response) + 1 };
  const middle = CAPTION + levels.key * 24 + 34;
  const left = (word: number): number => 2 + (word - 1) * step;
  const yOf = (side: Side, index: number): number =>
    side === "key" ? middle - 44 - lanes.key[index]! * 24 : middle + 26 + lanes.response[index]! * 24;
  const parts = [text(1, 14, "Key mentions", "caption", "start")];
  overlaps(key, response).forEach((pair) => {
    const [one, two] = [key[pair.key]!, response[pair.response]!];
    const [first, end] = [Math.max(one[0], two[0]), Math.min(one[1], two[1])];
    const [top, low] = [yOf("key", pair.key) + 16, yOf("response", pair.response)];
    parts.push(bar(left(first) + 1, top, (end - first + 1) * step - 2, low - top, "shared"));
  });
  for (let word = 1; word <= last; word++) parts.push(text(left(word) + step / 2, middle + 4, `${word}`, "figure"));
  for (const [side, spans] of [["key", key], ["response", response]] as const) {
    spans.forEach(([first, end], index) => {
      parts.push(bar(left(first) + 1, yOf(side, index), (end - first + 1) * step - 2, 16, side === "key" ? "span0" : "span1"));
    });
  }
  const low = middle + 26 + levels.response * 24;
  parts.push(text(1, low + 14, "Response mentions; shared words are shaded", "caption", "start"));
  return { body: parts.join(""), width: Math.max(left(last + 1) + 2, 300), height: low + 22 };
}

/** A lane for each span, so that spans in a lane do not overlap. */
function stack(spans: readonly Span[]): number[] {
  const ends: number[][] = [];
  return spans.map(([first, last]) => {
    let lane = 0;
    const covers = (taken: number[]): boolean => taken.some((word) => word >= first && word <= last);
    while (ends[lane] && covers(ends[lane]!)) lane++;
    const words = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    ends[lane] = [...(ends[lane] ?? []), ...words];
    return lane;
  });
}
