import { givenEntries } from '../common/given-entries.js';

/** How many totals a process remembers; a forgotten one is counted again. */
const REMEMBERED = 2_000;

interface Total {
  stamp: string;
  total: number;
}

/**
 * Totals by question, each with the stamp of the data that it was counted on. A total is given out only for the same
 * stamp, so it is never older than the data that the caller has just seen.
 */
export class VersionedCountCache {
  private readonly known = new Map<string, Total>();

  /**
   * The total for the data of `seen`: what is tallied, else what is remembered, else what `count` finds. Without `seen`
   * it is counted.
   */
  async totalOf(
    workspaceId: string,
    question: object,
    seen: { stamp: string; tallied: number | null } | null,
    count: () => Promise<Total>,
  ): Promise<number> {
    const known = seen && (seen.tallied ?? this.get(workspaceId, question, seen.stamp));
    if (known !== null) return known;
    const counted = await count();
    this.set(workspaceId, question, counted);
    return counted.total;
  }

  get(workspaceId: string, question: object, stamp: string): number | null {
    const entry = this.known.get(keyOf(workspaceId, question));
    return entry?.stamp === stamp ? entry.total : null;
  }

  set(workspaceId: string, question: object, entry: Total): void {
    const key = keyOf(workspaceId, question);
    // Put last again, so that the one that was counted longest ago goes first.
    this.known.delete(key);
    this.known.set(key, entry);
    if (this.known.size > REMEMBERED) this.known.delete(this.known.keys().next().value!);
  }
}

function keyOf(workspaceId: string, question: object): string {
  return JSON.stringify([workspaceId, ...givenEntries(question)]);
}
