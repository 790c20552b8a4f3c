// B³ with the rules of earlier papers for mentions that only one side has: each rule changes the entities, and
// plain B³ counts the result.

import { type Ratios, count } from "./metrics";
import { type Entities, type Entity, owners } from "./table";

export const VARIANTS = ["bcub-0", "bcub-all", "bcub-rn", "bcub-sys"] as const;
export type Variant = (typeof VARIANTS)[number];
export type Sides = readonly [key: Entities, response: Entities];

/** The entities that a variant compares for recall, and those for precision. Emptied entities keep their place. */
export function sidesOf(variant: Variant, key: Entities, response: Entities): { recall: Sides; precision: Sides } {
  const known = owners(key, "key");
  const answered = owners(response, "response");
  const missed = key.flat().filter((mention) => !answered.has(mention));
  const onlyKnown = (entity: Entity): Entity => entity.filter((mention) => known.has(mention));
  const alone = (mentions: readonly string[]): Entities => mentions.map((mention) => [mention]);
  if (variant === "bcub-0") return { recall: [key, response], precision: [key, response.map(onlyKnown)] };
  const linked = variant === "bcub-all" ? response : response.map((entity) => (entity.length > 1 ? entity : onlyKnown(entity)));
  const invented = linked.flat().filter((mention) => !known.has(mention));
  const completed = [...key, ...alone(invented)];
  if (variant !== "bcub-sys") return { recall: [key, [...linked, ...alone(missed)]], precision: [completed, linked] };
  return {
    recall: [key, [...linked.map(onlyKnown), ...alone(missed)]],
    precision: [completed, [...linked, ...alone(missed)]],
  };
}

export function countVariant(variant: Variant, key: Entities, response: Entities): Ratios {
  const { recall, precision } = sidesOf(variant, key, response);
  const [found, inKey] = count(...recall).bcub;
  const [, , right, inResponse] = count(...precision).bcub;
  return [found, inKey, right, inResponse];
}
