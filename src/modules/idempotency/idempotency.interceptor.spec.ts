import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import type { IdempotencyService } from './idempotency.service.js';

describe('request fingerprint', () => {
  /** The fingerprint that is stored for a request with this body. */
  async function fingerprintOf(body: unknown): Promise<string> {
    let stored = '';
    const service = {
      begin: (_owner: unknown, fingerprint: Buffer) => {
        stored = fingerprint.toString('hex');
        return Promise.resolve({ status: 200, body: null });
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
    const context = { switchToHttp: () => http } as unknown as ExecutionContext;
    await new IdempotencyInterceptor(service).intercept(context, {} as CallHandler);
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
