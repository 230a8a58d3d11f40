import { onOneLine } from './json-line.js';

it('JSON on one line has no line end of any reader, and the same meaning', () => {
  const value = { text: 'a\u0085b\u2028c\u2029d\n\r\u000b\f\u001c\u001d\u001e', '\u2028': 1 };
  const line = onOneLine(JSON.stringify(value));
  // What Python's `str.splitlines` splits at.
  for (const end of '\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029') expect(line).not.toContain(end);
  expect(JSON.parse(line)).toEqual(value);
});
