import { hashText } from '../../common/hash.js';
import type { StreamText } from '../stream-batch.js';

/** Some sources number posts and comments independently. */
export const keyOf = ({ id, isComment }: StreamText): string => `${id} ${isComment}`;

const hashOf = (text: StreamText): string => hashText(keyOf(text)).toString(36);

/** What a list without an order showed when it was last read, as a part of a position. */
export class ShownTexts {
  constructor(private hashes: ReadonlySet<string>) {}

  get isEmpty(): boolean {
    return this.hashes.size === 0;
  }

  has(text: StreamText): boolean {
    return this.hashes.has(hashOf(text));
  }

  /** Takes note of what the list shows now. Returns when the oldest of it was written if nothing is left of what it showed before; else 0. */
  replace(texts: readonly StreamText[]): number {
    const isReplaced = !this.isEmpty && texts.length > 0 && !texts.some((text) => this.has(text));
    this.hashes = new Set(texts.map(hashOf));
    return isReplaced ? Math.min(...texts.map(({ at }) => at.getTime())) : 0;
  }

  toString(): string {
    return [...this.hashes].map((hash) => ` ${hash}`).join('');
  }
}
