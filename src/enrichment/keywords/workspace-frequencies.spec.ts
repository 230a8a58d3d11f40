import { WorkspaceFrequencies } from './workspace-frequencies.js';

describe('WorkspaceFrequencies', () => {
  it('counts each phrase once per post', () => {
    const frequencies = new WorkspaceFrequencies();
    frequencies.observe([1, 2, 2]);
    frequencies.observe([2]);
    expect([frequencies.documents, frequencies.df(1), frequencies.df(2), frequencies.df(3)]).toEqual([
      2, 1, 2, 0,
    ]);
  });

  it('stays bounded and keeps frequent phrases', () => {
    const frequencies = new WorkspaceFrequencies();
    for (let post = 0; post < 3_000; post++) {
      frequencies.observe([7, ...Array.from({ length: 100 }, (_one, at) => 1_000 + post * 100 + at)]);
    }
    expect(frequencies.size).toBeLessThanOrEqual(16_384);
    expect(frequencies.df(7)).toBe(3_000);
    expect(frequencies.toBuffer().length).toBeLessThanOrEqual(132_000);
  });

  it('fades instead of growing forever', () => {
    const frequencies = new WorkspaceFrequencies();
    for (const key of [2, 3, 3]) frequencies.observe([key]);
    for (let post = 0; post < 200_000; post++) frequencies.observe([1]);
    expect(frequencies.documents).toBeLessThan(200_000);
    // A phrase in one of 200,000 posts is forgotten, one in two of them is not.
    expect([frequencies.size, frequencies.df(3)]).toEqual([2, 1]);
    expect(frequencies.df(1) / frequencies.documents).toBeCloseTo(1, 3);
  });

  it('survives being saved, and merges', () => {
    const one = new WorkspaceFrequencies();
    one.observe([1, 0xffffffff]);
    const other = WorkspaceFrequencies.fromBuffer(one.toBuffer());
    other.merge(one);
    expect([other.documents, other.df(1), other.df(0xffffffff)]).toEqual([2, 2, 2]);
  });

  it.each([Buffer.alloc(0), Buffer.from('rubbish'), Buffer.alloc(12), Buffer.alloc(20, 1), tooMany()])(
    'refuses bytes that it did not write',
    (bytes) => {
      expect(() => WorkspaceFrequencies.fromBuffer(bytes)).toThrow('no saved phrase frequencies');
    },
  );
});

/** A saved table with more entries than one can have. */
function tooMany(): Buffer {
  const entries = 16_385;
  const file = Buffer.alloc(12 + 8 * entries);
  new WorkspaceFrequencies().toBuffer().copy(file);
  file.writeUInt32LE(entries, 8);
  return file;
}
