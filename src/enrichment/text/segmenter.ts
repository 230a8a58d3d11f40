/** Languages that are written without spaces between words. */
const UNSPACED = new Set(['zh', 'ja', 'th', 'km', 'lo', 'my']);
/** Characters that are segmented, which bounds the time for any text; the rest stays as it is. */
const MOST_CHARACTERS = 2_000;

const segmenters = new Map<string, Intl.Segmenter>();

/** Whether words of a language are written side by side. */
export function isUnspaced(language: string): boolean {
  return UNSPACED.has(language);
}

/** A text with a space between the words of a language that is written without; other texts as they are. */
export function withSpaces(text: string, language: string): string {
  if (!isUnspaced(language)) return text;
  let segmenter = segmenters.get(language);
  if (!segmenter) {
    segmenter = new Intl.Segmenter(language, { granularity: 'word' });
    segmenters.set(language, segmenter);
  }
  let out = '';
  let wordBefore = false;
  for (const { segment, isWordLike } of segmenter.segment(text.slice(0, MOST_CHARACTERS))) {
    out += wordBefore && isWordLike ? ` ${segment}` : segment;
    wordBefore = isWordLike === true;
  }
  return out + text.slice(MOST_CHARACTERS);
}
