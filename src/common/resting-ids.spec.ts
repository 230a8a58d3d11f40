import { RestingIds } from './resting-ids.js';

const START = Date.parse('2026-03-01T00:00:00Z');
const after = (ms: number): Date => new Date(START + ms);

describe('RestingIds', () => {
  it('rest for five minutes, each from its last failure on', () => {
    const resting = new RestingIds();
    resting.add('one', after(0));
    resting.add('two', after(1_000));
    expect(resting.at(after(299_999)).sort()).toEqual(['one', 'two']);
    expect(resting.at(after(300_000))).toEqual(['two']);
    resting.add('two', after(300_000));
    expect(resting.at(after(599_999))).toEqual(['two']);
    expect(resting.at(after(600_000))).toEqual([]);
  });

  it('are at most a thousand', () => {
    const resting = new RestingIds();
    for (let number = 0; number <= 1_000; number += 1) resting.add(String(number), after(0));
    expect(resting.at(after(1))).toHaveLength(1_000);
    expect(resting.at(after(1))).not.toContain('0');
  });
});
