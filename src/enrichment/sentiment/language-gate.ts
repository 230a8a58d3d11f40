import { hashText } from '../text/hash.js';
import { Kind, type Token } from '../text/tokens.js';

export interface LanguageFile {
  /** Function words of other languages that are not also words of everyday English. */
  foreign: readonly string[];
  /** Base64 of a bit set, {@link VOCABULARY_BITS} long: hashes of the words seen in training. */
  vocabulary: string;
}

export const VOCABULARY_BITS = 1 << 20;

/**
 * Tells texts that the model cannot read from those it can: by script, by function words of other
 * languages, and by how many words were ever seen in training. In doubt a text passes.
 */
export class LanguageGate {
  private readonly foreign: ReadonlySet<string>;
  private readonly vocabulary: Buffer;

  constructor(file: LanguageFile) {
    this.foreign = new Set(file.foreign);
    this.vocabulary = Buffer.from(file.vocabulary, 'base64');
  }

  /** False when the text has words and they are of a language that the model was not trained on. */
  understands(tokens: readonly Token[]): boolean {
    let words = 0;
    let known = 0;
    let foreign = 0;
    let otherScript = 0;
    for (const token of tokens) {
      if (token.kind !== Kind.Word) continue;
      words++;
      if (isOtherScript(token.text)) otherScript++;
      else if (this.foreign.has(token.text)) foreign++;
      else if (this.knows(token.text)) known++;
    }
    if (words === 0) return true;
    if (otherScript * 2 > words) return false;
    const strange = words - known;
    if (foreign >= 1 && foreign + strange > words * 1.1 && words >= 3) return false;
    return words < 4 || strange < words * 0.6;
  }

  private knows(text: string): boolean {
    const bit = hashText(text) % VOCABULARY_BITS;
    return (this.vocabulary[bit >>> 3]! & (1 << (bit & 7))) !== 0;
  }
}

/** Encodes a vocabulary for {@link LanguageFile}. */
export function encodeVocabulary(words: Iterable<string>): string {
  const bits = Buffer.alloc(VOCABULARY_BITS / 8);
  for (const word of words) {
    const bit = hashText(word) % VOCABULARY_BITS;
    bits[bit >>> 3]! |= 1 << (bit & 7);
  }
  return bits.toString('base64');
}

/** Beyond Latin, its accents and combining marks. */
function isOtherScript(text: string): boolean {
  const code = text.charCodeAt(0);
  return code > 0x36f && !(code >= 0x1e00 && code < 0x2000);
}
