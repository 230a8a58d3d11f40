import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

const HEADER = 'x-own-call';

/**
 * Marks the requests that this process sends to itself for an assistant. Access tokens are for the address of the tools
 * only, so the API accepts them in no other request.
 */
@Injectable()
export class OwnCalls {
  private readonly secret = randomBytes(32).toString('hex');
  /** Headers of such a request. They must not leave this machine. */
  readonly headers: Readonly<Record<string, string>> = { [HEADER]: this.secret };

  isOwn(request: Request): boolean {
    const given = Buffer.from(request.header(HEADER) ?? '');
    const expected = Buffer.from(this.secret);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
