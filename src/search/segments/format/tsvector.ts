import { MOST_OCCURRENCES } from '../../relevance/score.js';
import { packPosition } from './term-postings.js';

const QUOTE = 39;
const BACKSLASH = 92;
const COLON = 58;
const COMMA = 44;
const SPACE = 32;
const LETTER_A = 65;
const DIGIT_0 = 48;
const DIGIT_9 = 57;

/**
 * Calls `visit` for each lexeme of a `tsvector` as Postgres writes it. The occurrences are one byte: those of weight A
 * (the title) in the upper four bits, all others in the lower four, each capped at 15 and together at least 1. The
 * positions are packed with `packPosition`, in an array that is reused for the next lexeme.
 */
export function readTsvector(
  text: string,
  visit: (lexeme: string, occurrences: number, positions: readonly number[]) => void,
): void {
  const positions: number[] = [];
  let at = 0;
  while (at < text.length) {
    const start = (at += 1);
    let isEscaped = false;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        if (text.charCodeAt(at + 1) !== QUOTE) break;
        isEscaped = true;
        at += 2;
      } else if (code === BACKSLASH) {
        isEscaped = true;
        at += 2;
      } else at += 1;
    }
    const quoted = text.slice(start, at);
    at += 1;
    let [inTitle, elsewhere, position] = [0, 0, 0];
    positions.length = 0;
    if (text.charCodeAt(at) === COLON) {
      let last = 0;
      do {
        at += 1;
        const code = text.charCodeAt(at);
        if (code === COMMA || code === SPACE || at >= text.length) {
          if (last === LETTER_A) inTitle += 1;
          else elsewhere += 1;
          positions.push(packPosition(position, last === LETTER_A));
          position = 0;
          if (code !== COMMA) break;
        } else if (code >= DIGIT_0 && code <= DIGIT_9) position = position * 10 + code - DIGIT_0;
        last = code;
      } while (at < text.length);
    } else {
      elsewhere = 1;
      positions.push(packPosition(0, false));
    }
    at += 1;
    visit(
      isEscaped ? quoted.replace(/''|\\(.)/gs, (pair, escaped?: string) => escaped ?? pair[0]!) : quoted,
      (Math.min(inTitle, MOST_OCCURRENCES) << 4) | Math.min(elsewhere, MOST_OCCURRENCES),
      positions,
    );
  }
}
