/** A number without quotes that JavaScript may round. */
const LONG_NUMBER = /[[,:]\s*-?\d{16}/;
/** What begins and ends texts, escapes in them, and whole numbers of 16 digits or more. */
const TOKEN = /"|\\.|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/gs;

/**
 * The value of a JSON text, in which whole numbers that JavaScript would round are texts of their digits: ids are often as
 * long. A byte order mark is ignored. Throws `SyntaxError`.
 */
export function parseJson(text: string): unknown {
  const json = text.replace(/^\ufeff/, '');
  const value = JSON.parse(json) as unknown;
  return LONG_NUMBER.test(json) ? (JSON.parse(withTexts(json)) as unknown) : value;
}

/** Valid JSON with unsafe whole numbers as texts. */
function withTexts(json: string): string {
  const parts: string[] = [];
  let at = 0;
  let isText = false;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    if (token === '"') isText = !isText;
    if (isText || !/\d$/.test(token) || Number.isSafeInteger(Number(token))) continue;
    parts.push(json.slice(at, index), `"${token}"`);
    at = index + token.length;
  }
  return [...parts, json.slice(at)].join('');
}
