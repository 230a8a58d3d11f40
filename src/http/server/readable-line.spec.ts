import { readableLine } from './readable-line.js';

const TIME = new Date(2026, 0, 2, 3, 4, 5).getTime();
const read = (line: object): string =>
  readableLine(JSON.stringify({ level: 30, time: TIME, pid: 1, ...line }));

describe('readableLine', () => {
  it.each([
    [
      'words with their fields',
      { msg: 'job ended', context: 'Jobs', jobId: 'j', posts: 3 },
      'job ended jobId=j posts=3',
    ],
    [
      'a request',
      {
        msg: 'request completed',
        method: 'GET',
        path: '/x',
        status: 200,
        durationMs: 7,
        address: '192.0.2.1',
      },
      'GET /x 200 7 ms',
    ],
    [
      'an error',
      { level: 50, msg: 'not sealed', err: { message: 'gone', stack: 'at x' } },
      'ERROR not sealed gone',
    ],
    ['a warning', { level: 40, msg: 'late' }, 'warn  late'],
    ['words with escapes of a terminal', { msg: 'a\u001b[31mb\n\u202ec' }, 'a [31mb c'],
    ['many characters', { msg: 'm', note: 'x'.repeat(500) }, `m note=${'x'.repeat(195)}`],
  ])('shows %s', (_, line, words) => expect(read(line)).toBe(`03:04:05 ${words}\n`));
});
