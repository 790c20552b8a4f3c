// Entities as lists of mentions, and the contingency table that every metric counts.

export type Entity = readonly string[];
export type Entities = readonly Entity[];

/** The sizes of all entities, and the number of mentions that each pair shares. */
export interface Table {
  key: readonly number[];
  response: readonly number[];
  cells: readonly Cell[];
}

/** A key entity and a response entity that share at least one mention. */
export interface Cell {
  key: number;
  response: number;
  shared: number;
}

export class RepeatedMention extends Error {
  constructor(
    readonly mention: string,
    readonly side: "key" | "response",
  ) {
    super(`the ${side} lists the mention ${mention} twice`);
  }
}

/** The entity of each mention. A mention that is listed twice is an error. */
export function owners(entities: Entities, side: "key" | "response"): Map<string, number> {
  const owner = new Map<string, number>();
  entities.forEach((entity, index) => {
    for (const mention of entity) {
      if (owner.has(mention)) throw new RepeatedMention(mention, side);
      owner.set(mention, index);
    }
  });
  return owner;
}

export function tabulate(key: Entities, response: Entities): Table {
  owners(key, "key");
  const responseOf = owners(response, "response");
  const cells: Cell[] = [];
  key.forEach((entity, index) => {
    const shared = new Map<number, number>();
    for (const mention of entity) {
      const other = responseOf.get(mention);
      if (other !== undefined) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    for (const [other, count] of shared) cells.push({ key: index, response: other, shared: count });
  });
  return { key: key.map((entity) => entity.length), response: response.map((entity) => entity.length), cells };
}

/** The same table with key and response exchanged. */
export function swap(table: Table): Table {
  return {
    key: table.response,
    response: table.key,
    cells: table.cells.map(({ key, response, shared }) => ({ key: response, response: key, shared })),
  };
}

/** Entities without singletons. */
export function linked(entities: Entities): Entities {
  return entities.filter((entity) => entity.length > 1);
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** The number of pairs among `count` mentions. */
export function pairs(count: number): number {
  return (count * (count - 1)) / 2;
}
