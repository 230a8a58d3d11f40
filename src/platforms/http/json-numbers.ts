/** A number without quotes that JavaScript may round. */
const LONG_NUMBER = /[[,:]\s*-?\d{16}/;
/** Texts, which stay as they are, and whole numbers of 16 digits or more. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b\d{16,}(?![\d.eE])/gs;

/**
 * The value of a JSON text, in which whole numbers that JavaScript would round are texts of their digits: ids are often as
 * long. A byte order mark is ignored. Throws `SyntaxError`.
 */
export function parseJson(text: string): unknown {
  const json = text.replace(/^\ufeff/, '');
  if (!LONG_NUMBER.test(json)) return JSON.parse(json) as unknown;
  JSON.parse(json);
  return JSON.parse(
    json.replace(TEXT_OR_NUMBER, (part) =>
      part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${part}"`,
    ),
  ) as unknown;
}
