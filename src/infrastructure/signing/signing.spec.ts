import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { SIGNING_SECRETS } from '../../../test/support/signing-secrets.js';
import { signingHeaders } from './signing.js';

const body = JSON.stringify({ id: 'evt_1', type: 'job.completed', data: { target: 'grüße 🚀' } });
/** In the last millisecond of a second, so that rounding up would give the next second. */
const message = () => ({
  id: 'evt_1',
  timestamp: new Date(Math.floor(Date.now() / 1_000) * 1_000 + 999),
  body,
});
const whsec = (): string => `whsec_${randomBytes(24).toString('base64')}`;

describe('signingHeaders', () => {
  it("passes the package's own verifier, as a receiver would use it", () => {
    const secret = whsec();
    expect(new Webhook(secret).verify(body, signingHeaders(message(), [secret]))).toEqual(JSON.parse(body));
  });

  it('does not pass with another secret, body or id', () => {
    const secret = whsec();
    const headers = signingHeaders(message(), [secret]);
    expect(() => new Webhook(whsec()).verify(body, headers)).toThrow();
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
  });

  it.each(SIGNING_SECRETS)('takes the secret "%s" as the bytes of "%s"', (secret, bytes) => {
    const signed = message();
    const headers = signingHeaders(signed, [secret]);
    const seconds = Math.floor(signed.timestamp.getTime() / 1_000);
    const expected = createHmac('sha256', Buffer.from(bytes, 'utf8'))
      .update(`evt_1.${seconds}.${body}`)
      .digest('base64');
    expect(headers).toEqual({
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${expected}`,
    });
  });

  it('contains both signatures during a rotation', () => {
    const [before, after] = [whsec(), whsec()];
    const headers = signingHeaders(message(), [after, before]);
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
    expect(() => new Webhook(before).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(after).verify(body, headers)).not.toThrow();
  });

  it('has no signature without a secret', () => {
    expect(signingHeaders(message(), [])).not.toHaveProperty('webhook-signature');
  });
});
