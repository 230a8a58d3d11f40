import { hashId, SegmentIds } from './segment-blocks.js';

describe('the ids of a segment', () => {
  const all = Array.from({ length: 2_000 }, (_, at) => `t3_${at + 10_000}`);
  const even = all.filter((_, at) => at % 2 === 0);
  const ids = SegmentIds.decode(SegmentIds.encode(even));

  it('are found at their rows; unknown ids are not found', () => {
    expect(all.map((id) => ids.find(id, hashId(id)))).toEqual(
      all.map((_, at) => (at % 2 === 0 ? at / 2 : -1)),
    );
  });
});
