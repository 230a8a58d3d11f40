import { type CallHandler, type ExecutionContext, Get } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { lastValueFrom, of } from 'rxjs';
import { ReadOnly } from '../../http/changes/change.decorators.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import type { IdempotencyService } from './idempotency.service.js';

class Operations {
  @Get()
  change(): void {}

  @Get()
  @ReadOnly()
  preview(): void {}
}
const { change, preview } = Operations.prototype;

describe('request fingerprint', () => {
  /** The fingerprint that is stored for a request with this body. */
  async function fingerprintOf(body: unknown): Promise<string> {
    let stored = '';
    const service = {
      begin: (_owner: unknown, fingerprint: Buffer) => {
        stored = fingerprint.toString('hex');
        return Promise.resolve({ answer: { status: 200, body: null } });
      },
    } as unknown as IdempotencyService;
    const request = {
      method: 'POST',
      originalUrl: '/alerts',
      header: () => 'key',
      caller: { workspaceId: 'w', keyId: 'k' },
      body,
    };
    const response = { status: () => response, set: () => response };
    const http = { getRequest: () => request, getResponse: () => response };
    const context = { switchToHttp: () => http, getHandler: () => change } as unknown as ExecutionContext;
    await new IdempotencyInterceptor(service, new Reflector()).intercept(context, {} as CallHandler);
    return stored;
  }

  it('does not depend on the order of fields', async () => {
    expect(await fingerprintOf({ a: 1, b: { c: 2, d: 3 } })).toBe(
      await fingerprintOf({ b: { d: 3, c: 2 }, a: 1 }),
    );
  });

  it.each([
    [{ a: ['x', 'y'] }, { a: ['y', 'x'] }],
    [{ a: [1, 23] }, { a: [12, 3] }],
    [{ a: ['x'] }, { a: 'x' }],
    [{ a: null }, {}],
  ])('of %j differs from that of %j', async (one, other) => {
    expect(await fingerprintOf(one)).not.toBe(await fingerprintOf(other));
  });
});

describe('the header Idempotency-Key', () => {
  /** Sends a request with this key; returns how often it was executed, or the code of its refusal. */
  async function send(key: string | undefined, request: object = {}, handler = change): Promise<unknown> {
    const begun: unknown[] = [];
    let executed = 0;
    const service = {
      begin: (owner: unknown) => Promise.resolve({ held: begun.push(owner) }),
      complete: () => Promise.resolve(),
    } as unknown as IdempotencyService;
    const given = { method: 'POST', header: () => key, caller: { workspaceId: 'w', keyId: 'k' }, ...request };
    const http = { getRequest: () => given, getResponse: () => ({ statusCode: 201 }) };
    const context = { switchToHttp: () => http, getHandler: () => handler } as unknown as ExecutionContext;
    const next: CallHandler = { handle: () => of((executed += 1)) };
    try {
      await lastValueFrom(
        await new IdempotencyInterceptor(service, new Reflector()).intercept(context, next),
      );
      return { executed, begun: begun.length };
    } catch (error) {
      return (error as { code?: string }).code;
    }
  }

  it.each([
    ['x'.repeat(255), { executed: 1, begun: 1 }],
    ['!~', { executed: 1, begun: 1 }],
    ['x'.repeat(256), 'validation_failed'],
    ['', 'validation_failed'],
    ['a b', 'validation_failed'],
    ['ü', 'validation_failed'],
    [undefined, { executed: 1, begun: 0 }],
  ])('%s is answered with %j', async (key, expected) => {
    expect(await send(key)).toEqual(expected);
  });

  it('has no effect on operations that change nothing', async () => {
    expect(await send('key', {}, preview)).toEqual({ executed: 1, begun: 0 });
  });

  it('has no effect on other methods and without an API key', async () => {
    for (const request of [{ method: 'PATCH' }, { method: 'DELETE' }, { caller: undefined }])
      expect(await send('a b', request)).toEqual({ executed: 1, begun: 0 });
  });
});
