/** Bytes of text in one encoded word: with its frame it stays below the 75 characters of RFC 2047. */
const WORD_BYTES = 45;

/**
 * A text for a header of an e-mail. Text that looks like an encoded word (RFC 2047) is encoded itself, because mail
 * programs would show its decoded form instead.
 */
export function headerText(text: string): string {
  if (!text.includes('=?')) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join(' ');
}
