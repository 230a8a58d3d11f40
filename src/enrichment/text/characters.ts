/** Classes of UTF-16 code units that the tokenizer distinguishes. */
export const Class = { Other: 0, Letter: 1, Digit: 2, Space: 3, Emoji: 4 } as const;

const CLASSES = classTable();

/** Class of the code unit at `at`; `Other` past the end and for surrogates. */
export function classAt(text: string, at: number): number {
  return at < text.length ? CLASSES[text.charCodeAt(at)]! : Class.Other;
}

/** Whether a class is letters or digits, which form words. */
export function isWordPart(kind: number): boolean {
  return kind === Class.Letter || kind === Class.Digit;
}

/**
 * Whether a code point beyond the first plane is an emoji with a meaning of its own, not a skin tone or flag letter.
 */
export function isPicture(point: number): boolean {
  return point >= 0x1f300 && point <= 0x1faff && (point < 0x1f3fb || point > 0x1f3ff);
}

function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  const letter = /[\p{L}\p{M}]/u;
  const digit = /\p{N}/u;
  const space = /\s/;
  const picture = /\p{Extended_Pictographic}/u;
  // All of these are letters (Chinese, Korean and others); testing 40,000 of them one by one would take long.
  table.fill(Class.Letter, 0x3400, 0xd800);
  for (let code = 0; code < 0x10000; code++) {
    if (code >= 0x3400 && code < 0xfb00) continue;
    const char = String.fromCharCode(code);
    if (letter.test(char)) table[code] = Class.Letter;
    else if (digit.test(char)) table[code] = Class.Digit;
    else if (space.test(char)) table[code] = Class.Space;
    else if (code > 0xff && picture.test(char)) table[code] = Class.Emoji;
  }
  return table;
}
