// The one-to-one pairing with the highest total weight.

export interface Edge {
  key: number;
  response: number;
  weight: number;
}

/** The largest group of connected entities that a page pairs; scoref has no such limit. */
export const MOST_CONNECTED = 1200;

export class TooManyConnected extends Error {}

/** The edges of a best pairing. Entities that share nothing are never paired. */
export function align(edges: readonly Edge[]): Edge[] {
  return components(edges).flatMap((part) => (part.length === 1 ? part : alignComponent(part)));
}

/** Groups of edges that have no entity in common. */
function components(edges: readonly Edge[]): Edge[][] {
  const parent = new Map<string, string>();
  const find = (name: string): string => {
    let root = name;
    for (let next = parent.get(root); next !== undefined; next = parent.get(root)) root = next;
    while (name !== root) {
      const next = parent.get(name)!;
      parent.set(name, root);
      name = next;
    }
    return root;
  };
  for (const { key, response } of edges) {
    const [one, other] = [find(`k${key}`), find(`r${response}`)];
    if (one !== other) parent.set(one, other);
  }
  const groups = new Map<string, Edge[]>();
  for (const edge of edges) {
    const root = find(`k${edge.key}`);
    const group = groups.get(root);
    if (group) group.push(edge);
    else groups.set(root, [edge]);
  }
  return [...groups.values()];
}

function alignComponent(edges: readonly Edge[]): Edge[] {
  const rows = [...new Set(edges.map((edge) => edge.key))];
  const columns = [...new Set(edges.map((edge) => edge.response))];
  const size = Math.max(rows.length, columns.length);
  if (size > MOST_CONNECTED) throw new TooManyConnected();
  const rowOf = new Map(rows.map((name, index) => [name, index]));
  const columnOf = new Map(columns.map((name, index) => [name, index]));
  const cost = rows.map(() => new Float64Array(size));
  while (cost.length < size) cost.push(new Float64Array(size));
  for (const { key, response, weight } of edges) cost[rowOf.get(key)!]![columnOf.get(response)!] = -weight;
  const rowOfColumn = assign(cost);
  return edges.filter(({ key, response }) => rowOfColumn[columnOf.get(response)!] === rowOf.get(key));
}

/** The row of each column in the cheapest assignment of a square matrix, by shortest augmenting paths. */
function assign(cost: readonly Float64Array[]): number[] {
  const size = cost.length;
  const rowPrice = new Float64Array(size + 1);
  const columnPrice = new Float64Array(size + 1);
  const rowOf = new Int32Array(size + 1); // counted from 1; 0 is a free column
  const previous = new Int32Array(size + 1);
  for (let row = 1; row <= size; row++) {
    const distance = new Float64Array(size + 1).fill(Infinity);
    const isDone = new Uint8Array(size + 1);
    rowOf[0] = row;
    let column = 0;
    do {
      isDone[column] = 1;
      const current = rowOf[column]!;
      const costs = cost[current - 1]!;
      let [nearest, shortest] = [0, Infinity];
      for (let next = 1; next <= size; next++) {
        if (isDone[next]) continue;
        const reduced = costs[next - 1]! - rowPrice[current]! - columnPrice[next]!;
        if (reduced < distance[next]!) {
          distance[next] = reduced;
          previous[next] = column;
        }
        if (distance[next]! < shortest) [nearest, shortest] = [next, distance[next]!];
      }
      for (let next = 0; next <= size; next++) {
        if (isDone[next]) {
          rowPrice[rowOf[next]!]! += shortest;
          columnPrice[next]! -= shortest;
        } else distance[next]! -= shortest;
      }
      column = nearest;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      const before = previous[column]!;
      rowOf[column] = rowOf[before]!;
      column = before;
    }
  }
  return [...rowOf.subarray(1)].map((row) => row - 1);
}
