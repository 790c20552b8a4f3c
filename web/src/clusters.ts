/** Clusters of tables of records that were divided or merged. */

import { button, choice, h, s } from "./dom";
import { HUES } from "./hues";
import { count, counted } from "./numbers";
import type { Cluster, Clusters, Part } from "./types";

const SHOWN = 20;
const WIDTH = 1000;
const KINDS = ["divided", "conflated"] as const;
const SIZES: [string, number, number][] = [
  ["any size", 0, Infinity],
  ["2 members", 2, 2],
  ["3 to 5 members", 3, 5],
  ["6 to 10 members", 6, 10],
  ["11 or more members", 11, Infinity],
];
const ORDERS: [string, (one: Listed, other: Listed) => number][] = [
  ["worst first", (one, other) => lostBy(other.cluster) - lostBy(one.cluster)],
  ["largest first", (one, other) => other.cluster.size - one.cluster.size],
  ["most parts first", (one, other) => partsOf(other.cluster) - partsOf(one.cluster)],
  ["by name", (one, other) => one.name.localeCompare(other.name, undefined, { numeric: true })],
];

interface Listed {
  kind: (typeof KINDS)[number];
  name: string;
  cluster: Cluster;
  /** The text that is searched. */
  ids: string;
}

/** List the clusters that differ from the key. */
export function clusterSection(clusters: Clusters, response: string): HTMLElement[] {
  const listed = KINDS.flatMap((kind) => clusters[kind].map((cluster) => listedAs(kind, cluster)));
  const captions = [
    `Divided: clusters of the key whose members are in several clusters of ${response}.`,
    `Conflated: clusters of ${response} that have members of several clusters of the key.`,
    ...leftOut(clusters),
  ];
  const heading = [h("h2", {}, "Clusters"), ...captions.map((text) => h("p", { class: "caption" }, text))];
  if (!listed.length) return [...heading, h("p", {}, "All clusters are the same as in the key.")];
  return [...heading, ...new ClusterBrowser(listed).elements];
}

function listedAs(kind: Listed["kind"], cluster: Cluster): Listed {
  const name = cluster.key ?? cluster.response ?? "";
  const parts = cluster.parts.map((part) => part.key ?? part.response ?? "");
  return { kind, name, cluster, ids: [name, ...parts, ...cluster.mentions].join("\n").toLowerCase() };
}

/** Write how many clusters the page does not contain. */
function leftOut(clusters: Clusters): string[] {
  return KINDS.flatMap((kind) => {
    const all = clusters[`${kind}_count`] ?? 0;
    const held = clusters[kind].length;
    return all > held ? [`The ${count(held)} worst of ${count(all)} ${kind} clusters are shown.`] : [];
  });
}

/** The number of pairs of members that are not together on the other side. */
function lostBy(cluster: Cluster): number {
  return cluster.lost ?? 0;
}

function partsOf(cluster: Cluster): number {
  return cluster.part_count ?? cluster.parts.length;
}

/** A list of clusters with its controls. */
class ClusterBrowser {
  readonly elements: HTMLElement[];
  private readonly list = h("ol", { class: "clusters" });
  private readonly told = h("output", { class: "place" });
  private readonly more = h("p", { class: "more" });
  private kind = 0;
  private size = 0;
  private order = 0;
  private wanted = "";
  private limit = SHOWN;

  constructor(private readonly all: readonly Listed[]) {
    const field = h("input", { type: "search", placeholder: "Search ids", "aria-label": "Search ids" });
    field.addEventListener("input", () => this.ask(() => (this.wanted = field.value.trim().toLowerCase())));
    const kinds = ["divided and conflated", ...KINDS];
    const filters = h(
      "div",
      { class: "cluster-filters", role: "search", "aria-label": "Clusters" },
      choice("Kind", kinds, 0, (place) => this.ask(() => (this.kind = place))),
      choice("Size", names(SIZES), 0, (place) => this.ask(() => (this.size = place))),
      choice("Order", names(ORDERS), 0, (place) => this.ask(() => (this.order = place))),
      field,
      this.told,
    );
    this.elements = [filters, this.list, this.more];
    this.fill();
  }

  private ask(change: () => void): void {
    change();
    this.limit = SHOWN;
    this.fill();
  }

  private fill(): void {
    const found = this.found();
    this.told.value = `${count(found.length)} of ${counted(this.all.length, "cluster")}`;
    this.list.replaceChildren(...found.slice(0, this.limit).map(clusterItem));
    const left = found.length - this.limit;
    const show = (): void => {
      this.limit += 10 * SHOWN;
      this.fill();
    };
    const rest = left > 0 ? button(`Show ${counted(Math.min(left, 10 * SHOWN), "more cluster")}`, show) : "";
    this.more.replaceChildren(found.length ? rest : "No clusters match these filters.");
  }

  private found(): Listed[] {
    const [, least, most] = SIZES[this.size] ?? ["", 0, Infinity];
    const kind = KINDS[this.kind - 1];
    const order = ORDERS[this.order]?.[1] ?? (() => 0);
    return this.all
      .filter(
        (each) =>
          (!kind || each.kind === kind) &&
          least <= each.cluster.size &&
          each.cluster.size <= most &&
          each.ids.includes(this.wanted),
      )
      .sort(order);
  }
}

function names(choices: readonly [string, ...unknown[]][]): string[] {
  return choices.map(([name]) => name);
}

function clusterItem({ kind, name, cluster }: Listed): HTMLElement {
  const parts = cluster.parts.map((part, place) =>
    h(
      "li",
      {},
      h("i", { class: `h${place % HUES}` }),
      h("b", { dir: "auto" }, part.key ?? part.response ?? ""),
      ` ${part.shared} of ${part.size}`,
    ),
  );
  const shown =
    cluster.mentions.length < cluster.size
      ? `${cluster.mentions.length} of ${counted(cluster.size, "member")}`
      : counted(cluster.size, "member");
  const members = h(
    "details",
    {},
    h("summary", {}, shown),
    h("p", { class: "members", dir: "auto" }, cluster.mentions.join("  ")),
  );
  return h(
    "li",
    {},
    h("h3", { dir: "auto" }, name),
    h("small", { class: "fate-of" }, ` ${kind}, ${counted(partsOf(cluster), "part")}`),
    strip(cluster),
    h("ul", { class: "parts" }, ...parts),
    cluster.mentions.length > 0 && members,
  );
}

/** Draw a cluster as a strip with a part for each cluster of the other side; the rest is empty. */
function strip(cluster: Cluster): SVGSVGElement {
  const svg = s("svg", {
    class: "strip",
    viewBox: `0 0 ${WIDTH} 10`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": counted(partsOf(cluster), "part"),
  });
  let left = 0;
  cluster.parts.forEach((part: Part, place) => {
    const width = (WIDTH * part.shared) / Math.max(cluster.size, 1);
    svg.append(
      s("rect", { class: `h${place % HUES}`, x: left, y: 0, width: Math.max(width - 3, 1), height: 10 }),
    );
    left += width;
  });
  return svg;
}
