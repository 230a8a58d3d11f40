import { isDivisible, jsonInTurns, type LongJson } from './json-in-turns.js';

describe('jsonInTurns', () => {
  it.each([
    [[]],
    [[1, 'a', null, undefined, { b: [2] }]],
    [[1, 2, 3, 4, 5, undefined, [6], 'seven', 8, 9, { ten: 10 }]],
    [{ rows: [{ at: new Date(0), gone: undefined }], total: 1, cursor: undefined, deep: { list: [1] } }],
    [{ none: undefined, rows: [] }],
    [{ 'quoted "name"': ['"'], none: undefined }],
  ])('writes what JSON.stringify writes: %j', async (body) => {
    expect(isDivisible(body)).toBe(true);
    const written = await jsonInTurns(body);
    // A pause of the machine can end the first slice.
    const text = typeof written === 'string' ? written : written.bytes.toString();
    expect(text).toBe(JSON.stringify(body));
  });

  it.each([[null], ['text'], [{ total: 1 }], [{ rows: [], toJSON: () => 1 }]])('leaves %j whole', (body) => {
    expect(isDivisible(body)).toBe(false);
  });

  it('lets other work happen between a few items that take long', async () => {
    const slow = {
      toJSON: () => {
        const end = performance.now() + 2;
        while (performance.now() < end);
        return 'slow';
      },
    };
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const long = (await jsonInTurns({ rows: Array.from({ length: 20 }, () => slow) })) as LongJson;
    clearInterval(timer);
    expect(long.bytes.toString()).toBe(JSON.stringify({ rows: Array.from({ length: 20 }, () => 'slow') }));
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
