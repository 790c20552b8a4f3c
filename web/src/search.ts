/** Search for words in a text. */

import { countUpTo } from "./lists";
import { spaceBetween } from "./spacing";
import type { Pair } from "./types";

/** A text to search: as it is on the screen, or with a space between all words. */
export class Searchable {
  private readonly seen: Joined;
  private spaced: Joined | null = null;

  constructor(private readonly words: readonly string[]) {
    this.seen = new Joined(words, spaceBetween);
  }

  /** List the first and the last token of each hit. */
  find(query: string): Pair[] {
    const found = this.seen.find(query);
    return found.length ? found : (this.spaced ??= new Joined(this.words, () => " ")).find(query);
  }
}

/** The words in lower case as one text, and where each begins. */
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

/** Normalise text for searching: lower case, and one form of each letter. */
export function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
