import { createHash } from 'node:crypto';

const SHOWN = 50;

/** What happened in a simulation, in order: the last lines in words, and a hash of all of them. */
export class History {
  /** Statements, timers and messages so far. */
  length = 0;
  private readonly hash = createHash('sha256');
  private readonly last: string[] = [];

  constructor(
    private readonly now: () => number,
    private readonly print: ((line: string) => void) | null,
  ) {}

  add(text: string): void {
    const line = `${new Date(this.now()).toISOString()} ${text}`;
    this.length += 1;
    this.hash.update(line);
    this.print?.(line);
    this.last.push(line);
    if (this.last.length > SHOWN) this.last.shift();
  }

  /** The last fifty lines. */
  get lastLines(): string {
    return this.last.join('\n');
  }

  /** Sixteen hexadecimal digits of the hash; call it once, at the end. */
  digest(): string {
    return this.hash.digest('hex').slice(0, 16);
  }
}
