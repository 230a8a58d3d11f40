import { lastWordsOf } from './last-words.js';

const FILE = '/data/logs/postgres.log';

describe('lastWordsOf', () => {
  it.each([
    ['nothing', '', null],
    ['messages that end nothing', '12:00 LOG:  ready\n12:01 ERROR:  relation "x" does not exist\n', null],
    ['the last of two', 'FATAL:  first\nLOG:  x\nPANIC:  second\n', `second; see ${FILE}`],
    [
      'a full disk',
      'PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device\nLOG:  aborted\n',
      `the disk is full: free space, then start again; could not write to file "pg_wal/xlogtemp.7": No space left on device; see ${FILE}`,
    ],
    [
      'a full disk that an earlier message names',
      'LOG:  could not write: No space left on device\nFATAL:  terminating\n',
      `the disk is full: free space, then start again; terminating; see ${FILE}`,
    ],
    [
      'a used up quota',
      'LOG:  write: Disk quota exceeded',
      `the disk is full: free space, then start again; see ${FILE}`,
    ],
  ])('reads %s', (_, log, words) => expect(lastWordsOf(log, FILE)).toBe(words));
});
