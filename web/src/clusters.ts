/** Tables have no words; what they have is clusters that were divided, or put into one. */

import { h, s } from "./dom";
import { HUES } from "./hues";
import { counted } from "./numbers";
import type { Cluster, Clusters, Part } from "./types";

const SHOWN = 10;
const WIDTH = 1000;

/** Show the largest of both. */
export function clusterSection(clusters: Clusters, response: string): HTMLElement[] {
  return [
    ...listed(
      "Divided",
      `Clusters of the key whose members are in several clusters of ${response}.`,
      clusters.divided,
    ),
    ...listed(
      "Conflated",
      `Clusters of ${response} that hold members of several clusters of the key.`,
      clusters.conflated,
    ),
  ];
}

function listed(title: string, caption: string, clusters: readonly Cluster[]): HTMLElement[] {
  const heading = [h("h2", {}, title), h("p", { class: "caption" }, caption)];
  if (!clusters.length) return [...heading, h("p", {}, "There are none.")];
  const items = clusters.map((cluster) => clusterItem(cluster));
  const rest = items.slice(SHOWN);
  const more =
    rest.length > 0 &&
    h(
      "details",
      {},
      h("summary", {}, `${counted(rest.length, "more cluster")}`),
      h("ol", { class: "clusters", start: SHOWN + 1 }, ...rest),
    );
  return [...heading, h("ol", { class: "clusters" }, ...items.slice(0, SHOWN)), ...(more ? [more] : [])];
}

function clusterItem(cluster: Cluster): HTMLElement {
  const name = cluster.key ?? cluster.response ?? "";
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
    strip(cluster),
    h("ul", { class: "parts" }, ...parts),
    cluster.mentions.length > 0 && members,
  );
}

/** Draw a cluster as a strip, divided as its members are; what nobody took stays empty. */
function strip(cluster: Cluster): SVGSVGElement {
  const svg = s("svg", {
    class: "strip",
    viewBox: `0 0 ${WIDTH} 10`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": `${cluster.parts.length} parts`,
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
