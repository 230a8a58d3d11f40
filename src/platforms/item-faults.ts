import { PlatformError } from './platform.js';

/**
 * Decides whether a failed item (a thread, a batch of ids, a listing) is passed over or ends the whole work. An item
 * that fails after all retries is passed over while others can be read; when others fail too, the fault is the
 * platform's.
 */
export class ItemFaults {
  private successes = 0;
  private failures = 0;
  private inARow = 0;
  private first: unknown;

  /** `maxInARow` failures without a success between them end the work. */
  constructor(private readonly maxInARow: number) {}

  /** Number of items read so far, to be passed to {@link passesOver} if the item that begins now fails. */
  begin(): number {
    return this.successes;
  }

  /** Records an item that was read. */
  succeeded(): void {
    this.successes += 1;
    this.inARow = 0;
  }

  /**
   * Records a failed item that began at `began`. False when the work must end: for errors other than the platform's,
   * for refused credentials, and after too many failures in a row.
   */
  passesOver(error: unknown, began = this.successes): boolean {
    if (!(error instanceof PlatformError) || error.code === 'credentials_refused') return false;
    this.first ??= error;
    this.failures += 1;
    if (this.successes > began) return true;
    this.inARow += 1;
    return this.inARow < this.maxInARow;
  }

  /** Must be called at the end: throws the first error when several items failed and none was read. */
  finish(): void {
    if (this.successes === 0 && this.failures > 1) throw this.first;
  }
}

/**
 * The results of a lookup of many ids. When it fails, its halves are looked up instead, down to single ids, which are
 * then passed over: one id that a platform cannot answer does not hide the others. Throws as {@link ItemFaults} decides.
 */
export async function lookUpInParts<Id, T>(
  ids: readonly Id[],
  lookUp: (ids: readonly Id[]) => Promise<T[]>,
): Promise<T[]> {
  const faults = new ItemFaults(MAX_FAILED_PARTS);
  const found: T[] = [];
  const parts = ids.length > 0 ? [ids] : [];
  for (const part of parts)
    try {
      found.push(...(await lookUp(part)));
      faults.succeeded();
    } catch (error) {
      if (!faults.passesOver(error)) throw error;
      const middle = Math.ceil(part.length / 2);
      if (part.length > 1) parts.push(part.slice(0, middle), part.slice(middle));
    }
  faults.finish();
  return found;
}

/** The whole, its halves, and two quarters: when all of them fail, it is not for one id. */
const MAX_FAILED_PARTS = 5;
