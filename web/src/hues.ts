/** Colours of systems; those of entities come with the data. */

export const HUES = 6;

/** Return the colour of a system. */
export function hueOf(system: number): number {
  return system % HUES;
}
