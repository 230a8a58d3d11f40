import type { CookieOptions, Request, Response } from 'express';
import { Problem } from '../problems/problem.js';
import { API_PREFIX } from './paths.js';
import { changesNothing } from './request.js';

/** Cookie for a session of an API key. */
export const SESSION_COOKIE = 'wss_session';
/** Cookie for an operator's session. */
export const ADMIN_SESSION_COOKIE = 'wss_admin_session';
/** Cookie for the ID token of a person who signed in at the identity provider, which its sign-out asks for. */
export const ID_TOKEN_COOKIE = 'wss_id_token';
/** How the names of cookies begin that keep sign-ins which have begun at the identity provider. */
export const SIGN_ON_COOKIES = 'wss_sign_on_';
/** Time for signing in at the identity provider. */
export const SIGN_ON_MS = 10 * 60_000;
/** Lifetime of a session. */
export const SESSION_MS = 12 * 3_600_000;
/** A session that was not used for this long has ended. */
export const IDLE_MS = 2 * 3_600_000;
/** Browsers accept a cookie with this prefix only over TLS and from this very host, not from a sibling domain. */
const HOST_PREFIX = '__Host-';

/** The value of a session cookie of the request; null when it is absent. */
export function readCookie(request: Request, name: string): string | null {
  const expected = cookieName(request, name);
  return cookiesOf(request).find(([key, value]) => key === expected && value)?.[1] ?? null;
}

/** Names of the sign-on cookies of the request; browsers send those first that were set first (RFC 6265, 5.4). */
export function signOnCookies(request: Request): string[] {
  const prefix = cookieName(request, '');
  const names = cookiesOf(request).map(([key]) => key!);
  return names
    .filter((name) => name.startsWith(prefix + SIGN_ON_COOKIES))
    .map((name) => name.slice(prefix.length));
}

/**
 * Sets a session cookie. Scripts cannot read it, browsers never send it from other sites, and they send it only over
 * TLS if it was set over TLS.
 */
export function setSessionCookie(request: Request, response: Response, name: string, value: string): void {
  response.cookie(cookieName(request, name), value, { ...optionsFor(request), maxAge: SESSION_MS });
}

/** Sets the cookie of a sign-in that has begun, which browsers send when the identity provider leads back here. */
export function setSignOnCookie(request: Request, response: Response, name: string, value: string): void {
  const lifetime = { maxAge: SIGN_ON_MS, sameSite: 'lax' } as const;
  response.cookie(cookieName(request, name), value, { ...optionsFor(request), ...lifetime });
}

/** Removes a session's cookie. */
export function clearSessionCookie(request: Request, response: Response, name: string): void {
  response.clearCookie(cookieName(request, name), optionsFor(request));
}

/**
 * Rejects a request that is authenticated by a cookie and changes something, unless it comes from a page of this host.
 * Browsers send `Origin` with such requests and pages cannot forge it. Throws 403.
 */
export function requireSameOrigin(request: Request): void {
  if (changesNothing(request) || isFromOwnPage(request)) return;
  throw new Problem(
    'cross_origin_request',
    'Requests that change data with a session cookie need an Origin header of this host.',
  );
}

/** Whether the `Origin` of a request is that of this host. */
export function isFromOwnPage(request: Request): boolean {
  const origin = originOf(request);
  // A proxy that does not report TLS makes https look like http, so only the reverse is refused.
  return origin?.host === request.headers.host && !(isOverTls(request) && origin?.protocol === 'http:');
}

function optionsFor(request: Request): CookieOptions {
  return {
    httpOnly: true,
    sameSite: 'strict',
    secure: isOverTls(request),
    path: isOverTls(request) ? '/' : `/${API_PREFIX}`,
  };
}

function cookiesOf(request: Request): string[][] {
  return (request.header('cookie') ?? '').split(';').map((part) => part.trim().split('=', 2));
}

function cookieName(request: Request, name: string): string {
  return isOverTls(request) ? HOST_PREFIX + name : name;
}

/** Whether the client uses TLS, which may end at a trusted proxy. */
export const isOverTls = (request: Request): boolean =>
  (request as Request & { isOverTls?: boolean }).isOverTls === true;

function originOf(request: Request): URL | null {
  const origin = request.header('origin');
  return origin !== undefined && URL.canParse(origin) ? new URL(origin) : null;
}
