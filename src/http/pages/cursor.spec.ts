import { decodeCursor, encodeCursor } from './cursor.js';
import { timeCursorAfter, timePositionOf } from './time-cursor.js';

const INVALID = expect.objectContaining({ code: 'invalid_cursor' }) as Error;
const ID = '0b4c2d6e-1f2a-4b3c-8d4e-5f6a7b8c9dab';
const POSITION = { time: '2026-06-30 12:00:00.123456+00', id: ID };

describe('a cursor', () => {
  const cursor = encodeCursor([1, 'a', null], { q: 'rust' });

  it('contains a position for the query that it was made for', () => {
    expect(decodeCursor(cursor, { q: 'rust' })).toEqual([1, 'a', null]);
    expect(cursor).toMatch(/^[\w-]+$/);
    // Nine bytes of checksum, then the position.
    expect(Buffer.from(cursor, 'base64url').subarray(9).toString()).toBe('[1,"a",null]');
  });

  it('is invalid for another query', () => {
    expect(() => decodeCursor(cursor, { q: 'go' })).toThrow(INVALID);
  });

  it('is invalid when any character was changed, removed or added', () => {
    for (let at = 0; at < cursor.length; at += 1) {
      const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      const removed = cursor.slice(0, at) + cursor.slice(at + 1);
      for (const other of [changed, removed])
        expect(() => decodeCursor(other, { q: 'rust' })).toThrow(INVALID);
    }
    for (const other of [`${cursor}=`, `${cursor}A`, ` ${cursor}`, ''])
      expect(() => decodeCursor(other, { q: 'rust' })).toThrow(INVALID);
  });

  it('is invalid when it contains something other than a position', () => {
    const other = encodeCursor({ length: 1 } as unknown as unknown[], 'q');
    expect(() => decodeCursor(other, 'q')).toThrow(INVALID);
  });
});

describe('a cursor of a list by time', () => {
  it('contains time and id of a row; an empty one means the start', () => {
    expect(timePositionOf(timeCursorAfter(POSITION, 'q'), 'q')).toEqual(POSITION);
    expect(timePositionOf('', 'q')).toBeNull();
  });

  it.each([
    [[`${POSITION.time} ${ID} x`]],
    [[`x ${POSITION.time} ${ID}`]],
    [[`${POSITION.time} ${ID.toUpperCase()}`]],
    [[`2026-06-30T12:00:00+00 ${ID}`]],
    [[`2026-06-30 12:00:00 ${ID}`]],
    [[POSITION.time]],
    [[7]],
    [[]],
  ])('is invalid with the position %j', (position) => {
    expect(() => timePositionOf(encodeCursor(position, 'q'), 'q')).toThrow(INVALID);
  });
});
