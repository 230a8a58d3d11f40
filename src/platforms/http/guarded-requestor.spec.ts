import type { OutboundResponse } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { GuardedRequestor } from './guarded-requestor.js';

/** The response of a site as its requestor returns it. */
const responseOf = (response: Partial<OutboundResponse>) =>
  new GuardedRequestor(
    {
      request: () =>
        Promise.resolve({
          status: 200,
          headers: {},
          url: 'https://site.example/',
          body: Buffer.alloc(0),
          truncated: false,
          durationMs: 1,
          ...response,
        }),
    },
    'test/1.0',
  ).send(
    { method: 'GET', url: 'https://site.example/', body: null, authorization: null },
    new AbortController().signal,
  );

describe('the response of a site', () => {
  it('has a text without a byte order mark', async () => {
    expect((await responseOf({ body: Buffer.from('\ufeff{"a":"\ufeffé"}') })).text).toBe('{"a":"\ufeffé"}');
  });
});
