/** Finding words in a text. */

import { countUpTo } from "./lists";
import type { Pair } from "./types";

/** A text to be searched: its words in small letters, and where each begins. */
export class Searchable {
  private readonly text: string;
  private readonly starts: Float64Array;

  constructor(words: readonly string[]) {
    const folded = words.map(fold);
    this.starts = new Float64Array(words.length);
    let place = 0;
    folded.forEach((word, token) => {
      this.starts[token] = place;
      place += word.length + 1;
    });
    this.text = folded.join(" ");
  }

  /** Find the first and last tokens of each place that has what is looked for. */
  find(query: string): Pair[] {
    const wanted = fold(query.trim().replace(/\s+/g, " "));
    const found: Pair[] = [];
    if (!wanted) return found;
    for (
      let place = this.text.indexOf(wanted);
      place >= 0;
      place = this.text.indexOf(wanted, place + wanted.length)
    ) {
      const first = countUpTo(this.starts, place) - 1;
      const last = countUpTo(this.starts, place + wanted.length - 1) - 1;
      found.push([first, last]);
    }
    return found;
  }
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
