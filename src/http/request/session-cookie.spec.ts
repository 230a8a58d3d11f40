import type { Request, Response } from 'express';
import { allows, SCOPES } from './scope.js';
import { hasBody } from './request.js';
import { readCookie, requireSameOrigin, setSessionCookie, signOnCookies } from './session-cookie.js';

const requestWith = (headers: Record<string, string>, extra: object = {}) =>
  ({ header: (name: string) => headers[name], headers, method: 'POST', ...extra }) as unknown as Request;

describe('a session cookie', () => {
  it.each([
    ['wss_session=a', 'a'],
    ['other=1; wss_session=a; more=2', 'a'],
    ['other=1;wss_session=a', 'a'],
    ['xwss_session=a', null],
    ['wss_session=', null],
    ['wss_session', null],
    ['', null],
  ])('in the header "%s" is %s', (cookie, value) => {
    expect(readCookie(requestWith({ cookie }), 'wss_session')).toBe(value);
  });

  it.each([
    [false, false],
    [true, true],
  ])('set for a request over TLS: %s, is sent only over TLS: %s', (overTls, expected) => {
    const set: unknown[] = [];
    const response = { cookie: (...given: unknown[]) => set.push(...given) } as unknown as Response;
    setSessionCookie(requestWith({}, { isOverTls: overTls }), response, 'name', 'value');
    expect(set).toEqual([
      expected ? '__Host-name' : 'name',
      'value',
      {
        ...{ httpOnly: true, sameSite: 'strict', maxAge: 43_200_000 },
        ...(expected ? { secure: true, path: '/' } : { secure: false, path: '/api/v1' }),
      },
    ]);
  });

  it.each([
    [false, ['wss_sign_on_a', 'wss_sign_on_b']],
    [true, ['wss_sign_on_c']],
  ])('of a begun sign-in is found over TLS %s: %j', (secure, names) => {
    const cookie =
      'wss_session=1; wss_sign_on_a=2; __Host-wss_sign_on_c=3; wss_sign_on_b=4; xwss_sign_on_d=5';
    expect(signOnCookies(requestWith({ cookie }, { isOverTls: secure }))).toEqual(names);
  });

  it.each([
    ['POST', 'https://a.example', true],
    ['POST', 'http://a.example:80', true],
    ['POST', 'https://a.example:8443', false],
    ['POST', 'https://b.a.example', false],
    ['POST', 'null', false],
    ['POST', undefined, false],
    ['DELETE', undefined, false],
    ['GET', undefined, true],
    ['HEAD', 'https://evil.example', true],
  ])('allows a %s from %s: %s', (method, origin, isAllowed) => {
    const headers = { host: 'a.example', ...(origin !== undefined && { origin }) };
    const check = () => requireSameOrigin(requestWith(headers, { method }));
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'cross_origin_request' }) as Error);
  });
});

it('a page that was loaded without TLS changes nothing in a session over TLS', () => {
  const check = (origin: string) => () =>
    requireSameOrigin(requestWith({ host: 'a.example', origin }, { isOverTls: true }));
  expect(check('https://a.example')).not.toThrow();
  expect(check('http://a.example')).toThrow(
    expect.objectContaining({ code: 'cross_origin_request' }) as Error,
  );
});

it.each([
  [{}, false],
  [{ 'content-length': '0' }, false],
  [{ 'content-length': '1' }, true],
  [{ 'transfer-encoding': 'chunked' }, true],
])('a request with %j has a body: %s', (headers, expected) => {
  expect(hasBody(requestWith(headers))).toBe(expected);
});

it('each scope includes those before it', () => {
  const allowed = SCOPES.map((granted) => SCOPES.filter((needed) => allows([granted], needed)));
  expect(allowed).toEqual([['read'], ['read', 'write'], ['read', 'write', 'admin']]);
  expect(allows([], 'read')).toBe(false);
  expect(allows(['read', 'admin'], 'write')).toBe(true);
});
