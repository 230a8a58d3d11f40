import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  clearSessionCookie,
  ID_TOKEN_COOKIE,
  readCookie,
  setSessionCookie,
  setSignOnCookie,
  SIGN_ON_COOKIES,
  signOnCookies,
} from '../../http/request/session-cookie.js';
import { SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { type SignOnRequest, signOnRequest } from './identity-provider.js';

/** A sign-in has no workspace yet. */
const OWNER = { workspaceId: '', purpose: 'sign-on cookie' };
/** Maximum number of sign-ins that a browser keeps: enough for its tabs, within the 16 KB of a request's headers. */
const MAX_BEGUN = 5;
/** Browsers keep no cookie of more than 4,096 bytes with its name. */
const MAX_ID_TOKEN = 4_000;
/** The form of the states of `openid-client`, which are part of the names of cookies. */
const STATE = /^[\w-]{43}$/;

/**
 * Keeps the sign-ins that have begun in the browser, in a cookie each, so that tabs do not end each other's. Cookies are
 * encrypted and authenticated, so that only this service chooses the pages to which they lead.
 */
@Injectable()
export class SignOnCookies {
  constructor(private readonly box: SecretBox) {}

  /** Sets the cookie of a sign-in, and removes the oldest ones beyond {@link MAX_BEGUN}. */
  keep(request: Request, response: Response, begun: SignOnRequest): void {
    for (const name of signOnCookies(request).slice(0, 1 - MAX_BEGUN))
      clearSessionCookie(request, response, name);
    const sealed = this.box.seal(JSON.stringify(begun), OWNER);
    setSignOnCookie(request, response, SIGN_ON_COOKIES + begun.state, sealed);
  }

  /** Removes the cookie of the sign-in with this state; returns the sign-in, null unless this service has made it. */
  take(request: Request, response: Response, state: string | null): SignOnRequest | null {
    if (state === null || !STATE.test(state)) return null;
    const name = SIGN_ON_COOKIES + state;
    const cookie = readCookie(request, name);
    clearSessionCookie(request, response, name);
    return cookie === null ? null : this.open(cookie);
  }

  /** Keeps the ID token of a sign-in for the sign-out; a very large one is not kept. */
  keepIdToken(request: Request, response: Response, idToken: string): void {
    if (idToken.length <= MAX_ID_TOKEN) setSessionCookie(request, response, ID_TOKEN_COOKIE, idToken);
    else clearSessionCookie(request, response, ID_TOKEN_COOKIE);
  }

  /** Removes the ID token of the last sign-in; returns it, null when there is none. */
  takeIdToken(request: Request, response: Response): string | null {
    const idToken = readCookie(request, ID_TOKEN_COOKIE);
    clearSessionCookie(request, response, ID_TOKEN_COOKIE);
    return idToken;
  }

  private open(cookie: string): SignOnRequest | null {
    try {
      return signOnRequest.parse(JSON.parse(this.box.open(cookie, OWNER)));
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }
}
