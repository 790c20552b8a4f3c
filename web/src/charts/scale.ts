/** Scales: from figures to places in a drawing. */

import type { Pair } from "../types";

export interface Scale {
  place(value: number): number;
  ticks: number[];
}

/** Make a scale of even steps, over round numbers. */
export function linear(domain: Pair, range: Pair, wanted = 5): Scale {
  const step = roundStep((domain[1] - domain[0]) / wanted);
  const low = Math.floor(domain[0] / step + 1e-9) * step;
  const high = Math.ceil(domain[1] / step - 1e-9) * step;
  const ticks: number[] = [];
  for (let number = Math.round(low / step); number * step <= high + step / 1e6; number++)
    ticks.push(tidy(number * step));
  return { place: between([low, high], range), ticks };
}

/** Make a scale for sizes: of even ratios where they differ much. */
export function ofSizes(domain: Pair, range: Pair, wanted: number): Scale {
  const isWide = domain[1] >= 8 * Math.max(domain[0], 1);
  return isWide ? logarithmic(domain, range, wanted) : linear(domain, range, wanted);
}

/** Make a scale of even ratios, with ticks at 1, 2, 5, 10, … as far as there is room. */
export function logarithmic(domain: Pair, range: Pair, wanted = 6): Scale {
  const [low, high] = [Math.max(domain[0], 1), Math.max(domain[1], domain[0] * 1.5, 2)];
  const inner = between([Math.log(low / 1.08), Math.log(high * 1.08)], range);
  const fits = (ticks: number[]): number[] =>
    ticks.filter((tick) => tick >= low / 1.08 && tick <= high * 1.08);
  const fine = fits(powers([1, 2, 5]));
  const coarse = fits(powers([1]));
  const ticks = fine.length <= wanted || coarse.length < 2 ? fine : coarse;
  return { place: (value) => inner(Math.log(Math.max(value, 1))), ticks };
}

function powers(digits: number[]): number[] {
  return Array.from({ length: 10 }, (_, power) => digits.map((digit) => digit * 10 ** power)).flat();
}

function between(domain: Pair, range: Pair): (value: number) => number {
  const width = domain[1] - domain[0] || 1;
  return (value) => range[0] + ((value - domain[0]) / width) * (range[1] - range[0]);
}

function roundStep(step: number): number {
  if (!(step > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(step) + 1e-9);
  return power * ([1, 2, 5].find((digit) => step <= digit * power * (1 + 1e-9)) ?? 10);
}

function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
