import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { DeliveryOutcome } from './channel.js';
import { postJson } from './post-json.js';

/** The outcome of a request that ends like this. */
async function outcomeOf(request: () => Promise<object>): Promise<DeliveryOutcome> {
  const { signal } = new AbortController();
  const client = { request } as unknown as OutboundHttpClient;
  const { outcome } = await postJson(client, { url: 'https://a.example', body: '{}', timeoutMs: 1, signal });
  return outcome;
}
const responding = (status: number, headers = {}) =>
  outcomeOf(() => Promise.resolve({ status, headers, durationMs: 1.6 }));

describe('the outcome of a request', () => {
  it.each([
    [199, 'The receiver answered 199'],
    [200, undefined],
    [299, undefined],
    [300, 'The receiver answered 300; redirects are not followed'],
    [399, 'The receiver answered 399; redirects are not followed'],
    [400, 'The receiver answered 400'],
  ])('with status %i has the error %s', async (responseCode, error) => {
    const outcome = await responding(responseCode);
    expect(outcome).toEqual({
      ok: error === undefined,
      responseCode,
      durationMs: 2,
      ...(error !== undefined && { error }),
    });
  });

  it('has the wait that the receiver demands', async () => {
    expect(await responding(503, { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 });
  });

  it('names the code of a known failure, and reveals nothing of another', async () => {
    const failing = (error: Error) => outcomeOf(() => Promise.reject(error));
    expect(await failing(new OutboundError('timeout', 'too late'))).toMatchObject({
      ok: false,
      responseCode: null,
      error: 'timeout: too late',
    });
    expect((await failing(new Error('https://user:secret@a.example'))).error).toBe('The request failed');
  });
});
