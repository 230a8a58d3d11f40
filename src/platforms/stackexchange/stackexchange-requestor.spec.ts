import { REQUESTOR_LIMITS, type WireResponse } from '../http/requestor.js';
import { StackExchangeRequestor } from './stackexchange-requestor.js';

const A_MINUTE_BEFORE_MIDNIGHT = Date.parse('2026-01-02T23:59:00Z');
const WIRE = { method: 'GET', url: 'https://e.org/', body: null, authorization: null } as const;
const HEADERS = {
  remaining: null,
  used: null,
  reset: null,
  location: null,
  retryAfter: null,
  authenticate: null,
  link: null,
};

describe('the limits in answers of Stack Exchange', () => {
  it.each([
    ['the rest of the quota', { quota_remaining: 0 }, { remaining: '0', reset: '60' }],
    ['a pause after a good answer', { backoff: 10, quota_remaining: 5 }, { remaining: '0', reset: '10' }],
    [
      'a refusal',
      { error_name: 'throttle_violation', error_message: 'more in 30 seconds' },
      { retryAfter: '30' },
    ],
    ['a refusal without a time', { error_id: 502 }, { retryAfter: '60' }],
    ['none', {}, { remaining: null, reset: null }],
  ])('are headers: %s', async (_, body, headers) => {
    const answer: WireResponse = { status: 200, text: JSON.stringify(body), headers: HEADERS };
    const sender = { limits: REQUESTOR_LIMITS, send: () => Promise.resolve(answer) };
    const requestor = new StackExchangeRequestor(sender, () => A_MINUTE_BEFORE_MIDNIGHT);
    const sent = await requestor.send(WIRE, new AbortController().signal);
    expect(sent.headers).toMatchObject(headers);
  });
});
