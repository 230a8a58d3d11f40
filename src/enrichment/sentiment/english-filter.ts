import { hashText } from '../../common/hash.js';
import { Kind, type Token } from '../text/tokens.js';
import { Standing, type WordInfo } from '../text/word.js';

/** Word lists of the English filter. */
export interface LanguageFile {
  /** The most common English words. */
  common: readonly string[];
  /** Function words of other languages that rarely occur in English texts. */
  foreign: readonly string[];
  /** Base64 of a bit set, {@link VOCABULARY_BITS} long: hashes of the words seen in training. */
  vocabulary: string;
}

/** Size of the vocabulary's bit set. */
const VOCABULARY_BITS = 1 << 20;
/** From this share on, function words of other languages and unseen words are decisive together. */
const FOREIGN_SHARE = 0.34;
/** From this share and this many words on, unseen words are decisive by themselves. */
const UNSEEN_SHARE = 0.6;
const FEWEST_WORDS = 4;

/**
 * Excludes texts for which the sentiment model was not trained: by script, by function words of other languages, and by
 * the share of words unseen in training. In doubt a text passes. It does not identify the language (the language tagger
 * does), and its lists and thresholds belong to the trained weights.
 */
export class EnglishFilter {
  private readonly common: ReadonlySet<string>;
  private readonly foreign: ReadonlySet<string>;
  private readonly vocabulary: Buffer;

  constructor(file: LanguageFile) {
    this.common = new Set(file.common);
    this.foreign = new Set(file.foreign);
    this.vocabulary = Buffer.from(file.vocabulary, 'base64');
  }

  /** False when the words belong to a language for which the model was not trained. `infos` belong to `tokens`. */
  understands(tokens: readonly Token[], infos: readonly (WordInfo | null)[]): boolean {
    let [words, common, foreign, unseen, otherScript] = [0, 0, 0, 0, 0];
    for (let at = 0; at < tokens.length; at++) {
      const { kind, text } = tokens[at]!;
      const info = infos[at];
      if (kind !== Kind.Word || !info) continue;
      words++;
      const standing = (info.standing ??= this.standing(text));
      if (standing === Standing.Common) common++;
      else if (standing === Standing.Unseen) unseen++;
      else if (standing === Standing.Foreign) foreign++;
      else if (standing === Standing.OtherScript) otherScript++;
    }
    if (otherScript > 0 && otherScript * 2 > words) return false;
    const strange = foreign + unseen;
    if (foreign > common && strange >= words * FOREIGN_SHARE) return false;
    if (foreign > 0 && foreign === common && strange * 2 >= words) return false;
    return words < FEWEST_WORDS || unseen <= words * UNSEEN_SHARE;
  }

  private standing(text: string): Standing {
    if (this.common.has(text)) return Standing.Common;
    if (this.foreign.has(text)) return Standing.Foreign;
    if (isOtherScript(text)) return Standing.OtherScript;
    const bit = hashText(text) % VOCABULARY_BITS;
    return (this.vocabulary[bit >>> 3]! & (1 << (bit & 7))) !== 0 ? Standing.Seen : Standing.Unseen;
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

/** Characters beyond Latin, its accents and combining marks. */
function isOtherScript(text: string): boolean {
  const code = text.charCodeAt(0);
  return code > 0x36f && !(code >= 0x1e00 && code < 0x2000);
}
