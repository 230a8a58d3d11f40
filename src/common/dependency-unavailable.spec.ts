import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import {
  DependencyUnavailableError,
  isDependencyUnavailable,
  isServerUnavailable,
  mayPass,
} from './dependency-unavailable.js';

const failureOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);
const internal = (message: string) => Object.assign(new Error(message), { code: 'XX000' });
const withCode = (code: string) => Object.assign(new Error('refused'), { code });

describe('an unavailable dependency', () => {
  it.each([
    ['its own error', new DependencyUnavailableError('Redis'), true],
    ['a refused connection', withCode('ECONNREFUSED'), true],
    ['a server that shuts down', withCode('57P01'), true],
    ['too many connections', withCode('53300'), true],
    ["TypeORM's error around it", Object.assign(new Error(), { driverError: withCode('08006') }), true],
    [
      "TypeORM's error around a lost connection",
      { driverError: new DependencyUnavailableError('Postgres') },
      true,
    ],
    ['a lost node of Citus', internal('failure on connection marked as essential: host:5432'), true],
    ['another internal error', internal('cache lookup failed'), false],
    ['a unique violation', withCode('23505'), false],
    ['words alone', new Error('Connection terminated unexpectedly'), false],
    ['no error at all', null, false],
  ])('is recognised: %s', (_, error, expected) => expect(isDependencyUnavailable(error)).toBe(expected));

  it('is a missing database socket, but not a missing file', async () => {
    expect(isDependencyUnavailable(await failureOf(readFile('/nonexistent/file')))).toBe(false);
    const socket = connect('/nonexistent/.s.PGSQL.5432');
    const failure = await new Promise((resolve) => socket.once('error', resolve));
    expect(isDependencyUnavailable(failure)).toBe(true);
  });
});

it.each([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['08001', '53300', '57014'],
])('%s means that a dependency is unavailable', (code) => {
  expect(isDependencyUnavailable(withCode(code))).toBe(true);
});

it.each(['EACCES', '22P02', '08', '0800', '53300x', 'x57014'])(
  '%s does not mean that a dependency is unavailable',
  (code) => {
    expect(isDependencyUnavailable(withCode(code))).toBe(false);
  },
);

describe('a failed transaction', () => {
  it.each([
    ['a deadlock', withCode('40P01'), true],
    ['changes of the same row', withCode('40001'), true],
    ['a lock that was not available', withCode('55P03'), true],
    ['Postgres away', withCode('57P01'), true],
    ['a lost node of Citus', internal('failure on connection marked as essential: host:5432'), true],
    ['another internal error', internal('cache lookup failed'), false],
    ['a unique violation', withCode('23505'), false],
    ['no error at all', null, false],
  ])('may succeed on retry after %s: %s', (_, error, expected) => expect(mayPass(error)).toBe(expected));
});

it.each([
  ['a statement that ran into its time limit', '57014', false],
  ['a refused row', '23514', false],
  ['a server that cannot be reached', 'ECONNREFUSED', true],
  ['a server that shuts down', '57P01', true],
])('because of %s (%s), others fail, too: %s', (_what, code, expected) => {
  expect(isServerUnavailable(Object.assign(new Error('failed'), { code }))).toBe(expected);
});
