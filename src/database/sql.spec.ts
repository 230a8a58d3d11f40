import { withLiterals } from './sql.js';

describe('withLiterals', () => {
  it('writes each value in place of its placeholders', () => {
    const parameters = ['a', 2, true, 'd', 5, 6, 7, 8, 9, "it's"];
    expect(withLiterals({ text: 'SELECT $1, $2::int, $10, $3, $1', parameters })).toBe(
      "SELECT 'a', '2'::int, 'it''s', 'true', 'a'",
    );
  });

  it('writes values that look like SQL or placeholders as text', () => {
    const parameters = ["'; DROP TABLE posts; --", '$1', '\\', "\\'"];
    expect(withLiterals({ text: '$1 $2 $3 $4', parameters })).toBe(
      "'''; DROP TABLE posts; --' '$1'  E'\\\\'  E'\\\\'''",
    );
  });

  it.each([[null], [['a']], [{}], [undefined]])('rejects the value %j', (value) => {
    expect(() => withLiterals({ text: 'SELECT $1', parameters: [value] })).toThrow(TypeError);
  });
});
