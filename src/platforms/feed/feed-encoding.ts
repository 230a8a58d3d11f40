/** The label of an encoding in the declaration of XML or in a page. */
const DECLARED = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i;
/** Characters of a document in which its declaration stands. */
const HEAD = 1_024;
/** Encodings whose bytes are those of ASCII, with another meaning. */
const SEVEN_BITS = /^(?:iso-2022|hz|utf-?7)/i;

/**
 * The text of a document. A byte order mark decides, then what is certainly UTF-16 or UTF-8, then the encoding that the
 * `Content-Type` or the document names, as far as it is known; else the text is taken for windows-1252.
 */
export function decodedText(body: Buffer, contentType: string | null): string {
  const marked = markedEncoding(body);
  if (marked !== null) return new TextDecoder(marked).decode(body);
  const stated = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1];
  const declared = DECLARED.exec(body.toString('latin1', 0, HEAD))?.[1];
  const named = [stated, declared].filter((label) => label !== undefined);
  for (const label of [...named.filter((one) => SEVEN_BITS.test(one)), 'utf-8', ...named]) {
    const text = strictlyDecoded(body, label);
    if (text !== null) return text;
  }
  // Bytes that are no text in any of them.
  return new TextDecoder(named.some((label) => /^utf-?8$/i.test(label)) ? 'utf-8' : 'windows-1252').decode(
    body,
  );
}

function markedEncoding(body: Buffer): string | null {
  const [a, b, c, d] = body;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && c !== 0 && d === 0)) return 'utf-16le';
  return (a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0) ? 'utf-16be' : null;
}

/** Null when the encoding is unknown, or the bytes are none of it. */
function strictlyDecoded(body: Buffer, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(body);
  } catch {
    return null;
  }
}
