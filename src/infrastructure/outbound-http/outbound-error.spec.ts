import { OutboundError, toOutboundError } from './outbound-error.js';

const withCode = (code: string): Error => Object.assign(new Error('failed'), { code });

describe('an error of an outbound request', () => {
  it.each([
    ['ENOTFOUND', 'dns_failed'],
    ['EAI_AGAIN', 'dns_failed'],
    ['ECONNREFUSED', 'connect_failed'],
    ['ETIMEDOUT', 'connect_failed'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['ERR_STREAM_PREMATURE_CLOSE', 'reset'],
    ['CERT_HAS_EXPIRED', 'tls_failed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_failed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
    ['HPE_INVALID_CONSTANT', 'bad_answer'],
    ['ENEW', 'connect_failed'],
  ])('with code %s is %s', (code, kind) => {
    const error = toOutboundError(withCode(code));
    expect([error.code, error.message.endsWith(`(${code})`)]).toEqual([kind, true]);
  });

  it('is that of the first address when several failed', () => {
    const refused = new OutboundError('address_refused', 'refused');
    expect(toOutboundError(new AggregateError([refused, withCode('ECONNREFUSED')]))).toBe(refused);
    expect(toOutboundError(new AggregateError([withCode('ECONNRESET')])).code).toBe('reset');
  });

  it.each([
    new Error('https://user:secret@example.com'),
    // The codes of these errors are numbers.
    new DOMException('https://user:secret@example.com', 'AbortError'),
    undefined,
  ])('reveals nothing of an unknown error', (error) => {
    expect(toOutboundError(error)).toMatchObject({ code: 'connect_failed', message: 'The request failed' });
  });
});
