import { isSteep } from '../../../test/support/steep-work.js';
import { parseJson } from './json-numbers.js';

describe('the value of a JSON text', () => {
  it.each([
    ['[1,-2.5,9007199254740991]', [1, -2.5, 9_007_199_254_740_991]],
    ['{"id":109294719267373593}', { id: '109294719267373593' }],
    ['{"id": -109294719267373593 }', { id: '-109294719267373593' }],
    [
      '["id: 109294719267373593, \\"",1234567890123456789]',
      ['id: 109294719267373593, "', '1234567890123456789'],
    ],
    [
      '[0.1234567890123456789,12345678901234567e3]',
      [JSON.parse('0.1234567890123456789'), 12345678901234567e3],
    ],
    ['\ufeff{"a":1}', { a: 1 }],
  ])('%s has whole numbers with all their digits', (text, value) => expect(parseJson(text)).toEqual(value));

  it.each(['', '[12345678901234567890', '{"a":12345678901234567890x}'])('refuses %j', (text) =>
    expect(() => parseJson(text)).toThrow(SyntaxError),
  );

  it('needs linear time', async () => {
    const read = (length: number) => parseJson(`[1234567890123456789,"${'\\"1'.repeat(length)}"]`);
    expect(await isSteep(read, 400_000)).toBe(false);
  });
});
