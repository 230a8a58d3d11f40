import type { Request } from 'express';
import { isOverTls } from './session-cookie.js';

/** The address of this service for people: the one that the operator set, otherwise the one that a request was sent to. */
export const ownAddress = (request: Request, publicUrl: string | undefined): string =>
  publicUrl ?? `${isOverTls(request) ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`;
