import { ConfigurationError } from './environment.js';
import { ServerUnreachable, startFailure, startFailureSentence } from './start-failure.js';

const failure = (fields: object): Error => Object.assign(new Error('failed'), fields);

describe('the reason for which a process cannot start', () => {
  it.each([
    [new ConfigurationError('PORT must be a number'), 'PORT must be a number'],
    [
      failure({ syscall: 'listen', code: 'EADDRINUSE', port: 80 }),
      'Port 80 is in use by another program; set PORT to a free one',
    ],
    [
      failure({ syscall: 'listen', code: 'EACCES', port: 80 }),
      'This user may not use port 80; set PORT to one above 1023',
    ],
    [
      failure({ syscall: 'listen', code: 'EADDRNOTAVAIL', address: '192.0.2.1' }),
      'HOST 192.0.2.1 is not an address of this machine (EADDRNOTAVAIL); set HOST to one, or to 0.0.0.0 for all',
    ],
    [
      failure({ syscall: 'getaddrinfo', code: 'ENOTFOUND', hostname: 'nowhere' }),
      'HOST nowhere is not an address of this machine (ENOTFOUND); set HOST to one, or to 0.0.0.0 for all',
    ],
    [failure({ code: 'ENOENT', path: '/data' }), null],
    [failure({ code: 'EACCES' }), null],
    [failure({}), null],
  ])('%#', (error, sentence) => {
    expect(startFailureSentence(error)).toBe(sentence);
  });

  it.each(['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'ENOSPC'])('is a folder with %s', (code) => {
    expect(startFailureSentence(failure({ code, path: '/data' }))).toBe(
      `/data cannot be used (${code}); give this user access to it, or set DATA_DIR or MEDIA_DIR to another folder`,
    );
  });
});

describe('a process that cannot start', () => {
  it.each([
    [
      'a server is unreachable',
      new ServerUnreachable('Postgres is away'),
      { sentence: 'Postgres is away', exitCode: 1 },
    ],
    [
      'the configuration is wrong',
      new ConfigurationError('PORT must be a number'),
      { sentence: 'PORT must be a number', exitCode: 78 },
    ],
    ['the operator cannot fix the cause', failure({}), null],
  ])('exits accordingly when %s', (_what, error, expected) => {
    expect(startFailure(error)).toEqual(expected);
  });
});
