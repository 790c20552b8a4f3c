/** Unpacked texts. The most recent ones are kept, up to a limit. */

import { readText } from "./data";
import { Text } from "./text";
import type { DocumentEntry, TextData } from "./types";

/** Words that are kept, counted for each system. */
const KEPT = 1_500_000;

interface Volume {
  data: Promise<TextData>;
  texts: Map<number, Text>;
}

export class Library {
  private readonly volumes = new Map<number, Volume>();

  constructor(private readonly documents: readonly DocumentEntry[]) {}

  has(document: number): boolean {
    return this.documents[document]?.has_text ?? false;
  }

  /** Return a text if it was read before. */
  ready(document: number, system: number): Text | null {
    return this.volumes.get(document)?.texts.get(system) ?? null;
  }

  /** Read a document with the response of a system. */
  async text(document: number, system: number): Promise<Text> {
    const volume = this.volumes.get(document) ?? { data: readText(document), texts: new Map() };
    this.volumes.delete(document);
    this.volumes.set(document, volume);
    const data = await volume.data;
    const text = volume.texts.get(system) ?? new Text(data, system);
    volume.texts.set(system, text);
    this.tidy(document);
    return text;
  }

  private tidy(present: number): void {
    let room = KEPT;
    for (const [number, volume] of [...this.volumes].reverse()) {
      room -= (this.documents[number]?.tokens ?? 0) * Math.max(volume.texts.size, 1);
      if (room < 0 && number !== present) this.volumes.delete(number);
    }
  }
}
