import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  clearSessionCookie,
  readCookie,
  setSignOnCookie,
  SIGN_ON_COOKIE,
} from '../../http/session-cookie.js';
import { SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { type SignOnRequest, signOnRequest } from './identity-provider.js';

/** A sign-in has no workspace yet. */
const OWNER = { workspaceId: '', purpose: 'sign-on cookie' };

/**
 * Keeps a sign-in that has begun in the browser. The cookie is encrypted and authenticated, so that neither a page of
 * another host nor a proxy can choose the page to which it leads.
 */
@Injectable()
export class SignOnCookies {
  constructor(private readonly box: SecretBox) {}

  /** Sets the cookie of a sign-in. */
  keep(request: Request, response: Response, begun: SignOnRequest): void {
    setSignOnCookie(request, response, this.box.seal(JSON.stringify(begun), OWNER));
  }

  /** Removes the cookie; returns the sign-in, null unless this service has made it. */
  take(request: Request, response: Response): SignOnRequest | null {
    const cookie = readCookie(request, SIGN_ON_COOKIE);
    clearSessionCookie(request, response, SIGN_ON_COOKIE);
    return cookie === null ? null : this.open(cookie);
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
