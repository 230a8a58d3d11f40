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

const latin1 = (bytes: Buffer): string => bytes.toString('latin1');

describe('the response of a site', () => {
  it('has a text without a byte order mark', async () => {
    expect((await responseOf({ body: Buffer.from('\ufeff{"a":"\ufeffé"}') })).text).toBe('{"a":"\ufeffé"}');
  });

  it.each([
    ['in UTF-8', Buffer.from('/t/日本語/10.json'), '/t/日本語/10.json'],
    ['in Latin-1', Buffer.from('/t/caf\xe9', 'latin1'), '/t/café'],
    ['in ASCII', Buffer.from('/t/%E6%97%A5'), '/t/%E6%97%A5'],
  ])('has a Location %s as the server wrote it', async (_name, bytes, location) => {
    const { headers } = await responseOf({ status: 301, headers: { location: latin1(bytes) } });
    expect(headers.location).toBe(location);
  });
});
