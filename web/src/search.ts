/** Finding words in a text. */

import { countUpTo } from "./lists";
import { spaceBetween } from "./spacing";
import type { Pair } from "./types";

/** A text to be searched: as it stands on the screen, or else with a space between all words. */
export class Searchable {
  private readonly seen: Joined;
  private spaced: Joined | null = null;

  constructor(private readonly words: readonly string[]) {
    this.seen = new Joined(words, spaceBetween);
  }

  /** Find the first and last tokens of each place that has what is looked for. */
  find(query: string): Pair[] {
    const found = this.seen.find(query);
    return found.length ? found : (this.spaced ??= new Joined(this.words, () => " ")).find(query);
  }
}

/** Words in small letters, put together, and where each begins. */
class Joined {
  private readonly text: string;
  private readonly starts: Float64Array;

  constructor(words: readonly string[], between: (word: string, following: string) => string) {
    const parts: string[] = [];
    this.starts = new Float64Array(words.length);
    let place = 0;
    words.forEach((word, token) => {
      const space = token ? between(words[token - 1] ?? "", word) : "";
      const small = folded(word);
      parts.push(space, small);
      this.starts[token] = place + space.length;
      place += space.length + small.length;
    });
    this.text = parts.join("");
  }

  find(query: string): Pair[] {
    const wanted = folded(query.trim().replace(/\s+/g, " "));
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

/** Write text as it is searched: in small letters, and the same letter always in the same way. */
export function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
