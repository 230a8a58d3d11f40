import { parseCheckpoint, START } from './listing-checkpoint.js';

const STORED = { ...START, step: 2, after: 't3_x', oldest: '2026-01-02T00:00:00.000Z' };

describe('parseCheckpoint', () => {
  it('reads what was stored', () => {
    expect(parseCheckpoint(JSON.parse(JSON.stringify(STORED)))).toEqual(STORED);
  });

  it.each([
    ['nothing', null],
    ['another type', 'rubbish'],
    ['no version', { ...STORED, version: undefined }],
    ['a later version', { ...STORED, version: 2 }],
    ['a missing field', { ...STORED, pages: undefined }],
    ['a negative step', { ...STORED, step: -1 }],
    ['a time that is none', { ...STORED, oldest: 'yesterday' }],
    ['an unknown stop reason', { ...STORED, stopReason: 'tired' }],
  ])('rejects %s', (_, stored) => {
    expect(parseCheckpoint(stored)).toBeNull();
  });
});
