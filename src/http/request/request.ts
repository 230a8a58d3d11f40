import type { Request } from 'express';
import type { NotedRecord } from './noted-record.js';
import type { Scope } from './scope.js';

/** The API key of a request, its session and its workspace, as bare uuids. */
export interface Caller {
  workspaceId: string;
  keyId: string;
  /** The first characters of the key, as shown in lists. */
  keyPrefix: string;
  /** Address of the account of a person who signed in; null for an API key. */
  email: string | null;
  scopes: readonly Scope[];
  /** Whether the key has the scope `write`. */
  mayWrite: boolean;
  /** When the key expires; null for a key that does not. */
  expiresAt: Date | null;
  /** The browser session that the request was sent in; null for a request with a key. */
  session: { id: string; expiresAt: Date } | null;
  /** Whether key and session are still valid, for responses that last long. */
  isStillValid(): Promise<boolean>;
}

/** A request with its id and, after a guard has accepted it, its caller or the fact that an operator sent it. */
export interface AuthenticatedRequest extends Request {
  id: string;
  caller: Caller;
  /** Whether the request has the admin token; it then has no caller. */
  isAdmin?: boolean;
  /** Address of the operator, when one who signed in with an account sent the request, or signs in by it. */
  operator?: string | null;
  /** Whether the request signs a browser in; it then has no caller. */
  isSignIn?: boolean;
  /** Whether a request was rejected although its response is no problem, such as a sign-in that leads to a page. */
  isRejected?: boolean;
  /** The key, or the admin token, that a request signed a browser in with. */
  signedIn?: Pick<Caller, 'workspaceId' | 'keyPrefix'> | 'admin';
  /** The record that the request changed, for the audit log. */
  noted?: NotedRecord;
}

/** Whether the request's method is safe (GET or HEAD). */
export function changesNothing(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** Whether the request has a body of at least one byte. */
export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The path of a request as sent, without its query. */
export function pathOf(request: Request): string {
  return request.originalUrl.split('?')[0]!;
}

/** The template of the route that a request matched, e.g. `/health/ready`; null when it matched none. */
export function routeOf(request: Request): string | null {
  const path = (request.route as { path?: unknown } | undefined)?.path;
  // Nest handles unknown paths with a catch-all route.
  return typeof path === 'string' && !path.startsWith('*') ? path : null;
}

/** The client address of the request, as trusted proxies report it. */
export function addressOf(request: Request): string {
  const { clientAddress } = request as Request & { clientAddress?: string };
  return clientAddress ?? request.socket.remoteAddress ?? 'unknown';
}

/** A path as logs and traces may show it: without the token of a feed, which is its only credential. */
export const withoutToken = (path: string): string => path.replace(/\/feeds\/[^/.]*/, '/feeds/***');
