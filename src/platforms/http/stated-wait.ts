import { asNumber, asObject } from './response-parsing.js';

/** Longer waits are understood as a day. */
const MAX_WAIT_MS = 86_400_000;
/** Characters of a text that are searched. */
const MAX_HEAD = 2_000;
const IN_WORDS = /\b(?:in|wait|after) (\d{1,6}) (second|minute|hour)/i;
const UNIT_MS: Readonly<Record<string, number>> = { second: 1_000, minute: 60_000, hour: 3_600_000 };

/**
 * The milliseconds after which a refused request may be repeated, according to the body of the refusal: a field of its
 * JSON (`wait_seconds`, also within `extras`), or words of an English text. Null when it does not say.
 */
export function statedWait(text: string): number | null {
  const wait = fieldOf(text) ?? wordsOf(text.slice(0, MAX_HEAD));
  return wait !== null && wait >= 0 ? Math.min(wait, MAX_WAIT_MS) : null;
}

function fieldOf(text: string): number | null {
  try {
    const body = asObject(JSON.parse(text));
    const seconds = asNumber(asObject(body?.extras)?.wait_seconds) ?? asNumber(body?.wait_seconds);
    return seconds === null ? null : seconds * 1_000;
  } catch {
    return null;
  }
}

function wordsOf(text: string): number | null {
  const [, count, unit] = IN_WORDS.exec(text) ?? [];
  return count === undefined ? null : Number(count) * UNIT_MS[unit!.toLowerCase()]!;
}
