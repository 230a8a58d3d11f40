import type { CookieOptions, Request, Response } from 'express';
import { Problem } from './problem.js';
import { API_PREFIX } from './paths.js';
import { changesNothing } from './request.js';

/** Cookie for a session of an API key. */
export const SESSION_COOKIE = 'wss_session';
/** Cookie for an operator's session. */
export const ADMIN_SESSION_COOKIE = 'wss_admin_session';
/** Lifetime of a session. */
export const SESSION_MS = 12 * 3_600_000;

/** The value of a cookie of the request; null when it is absent. */
export function readCookie(request: Request, name: string): string | null {
  for (const part of (request.header('cookie') ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value) return value;
  }
  return null;
}

/**
 * Sets a session cookie. Scripts cannot read it, browsers never send it from other sites, and they send it only over
 * TLS if it was set over TLS.
 */
export function setSessionCookie(request: Request, response: Response, name: string, value: string): void {
  response.cookie(name, value, { ...optionsFor(request), maxAge: SESSION_MS });
}

/** Removes a session's cookie. */
export function clearSessionCookie(request: Request, response: Response, name: string): void {
  response.clearCookie(name, optionsFor(request));
}

/**
 * Rejects a request that is authenticated by a cookie and changes something, unless it comes from a page of this host.
 * Browsers send `Origin` with such requests and pages cannot forge it. Throws 403.
 */
export function requireSameOrigin(request: Request): void {
  if (changesNothing(request)) return;
  if (hostOf(request.header('origin')) === request.headers.host) return;
  throw new Problem(
    'cross_origin_request',
    'Requests that change data with a session cookie need an Origin header of this host.',
  );
}

function optionsFor(request: Request): CookieOptions {
  return {
    httpOnly: true,
    sameSite: 'strict',
    // A proxy that terminates TLS sets this header.
    secure: request.secure || request.header('x-forwarded-proto')?.split(',')[0]?.trim() === 'https',
    path: `/${API_PREFIX}`,
  };
}

function hostOf(origin: string | undefined): string | null {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : null;
}
