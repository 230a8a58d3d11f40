import { statedDelay } from '../../infrastructure/outbound-http/stated-delay.js';
import { asNumber, asObject } from './response-parsing.js';

/** Characters of a text that are searched. */
const MAX_HEAD = 2_000;
const IN_WORDS = /\b(?:in|wait|after) (\d{1,6}) (second|minute|hour)/i;
const UNIT_SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600 };

/**
 * The milliseconds after which a refused request may be repeated, according to the body of the refusal: a field of its
 * JSON (`wait_seconds`, also within `extras`), or words of an English text. At most a day; null when it does not say.
 * `now` is in epoch milliseconds.
 */
export function statedWait(text: string, now: number): number | null {
  return statedDelay(fieldOf(text) ?? wordsOf(text.slice(0, MAX_HEAD)), now);
}

function fieldOf(text: string): number | null {
  try {
    const body = asObject(JSON.parse(text));
    return asNumber(asObject(body?.extras)?.wait_seconds) ?? asNumber(body?.wait_seconds);
  } catch {
    return null;
  }
}

function wordsOf(text: string): number | null {
  const [, count, unit] = IN_WORDS.exec(text) ?? [];
  return count === undefined ? null : Number(count) * UNIT_SECONDS[unit!.toLowerCase()]!;
}
