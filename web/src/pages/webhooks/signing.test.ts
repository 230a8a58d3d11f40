import { describe, expect, it } from 'vitest';
import { asksSecret, credentialOf, firstSigning, secretOf, signingOf } from './signing.ts';

describe('the secret of an address', () => {
  it.each([
    ['s3://KEY@store.example/events', 'the secret access key of the bucket'],
    ['S3+HTTP://KEY@10.0.0.7/events', 'the secret access key of the bucket'],
    ['amqps://USER@broker.example?key=jobs', 'the password for the broker'],
  ])('is a credential for %s, which is neither generated nor left out', (url, credential) => {
    expect(credentialOf(url)).toBe(credential);
    expect(secretOf(signingOf(url, { ...firstSigning(), own: 'mine' }))).toBe('mine');
    expect(secretOf(signingOf(url, { ...firstSigning(), kind: 'none', own: 'mine' }))).toBe('mine');
  });

  it('is asked for with a new webhook, and a new address of which it is the credential', () => {
    const broker = 'amqps://USER@broker.example?key=jobs';
    expect(asksSecret(null, 'https://example.com')).toBe(true);
    expect(asksSecret({ url: broker }, broker)).toBe(false);
    expect(asksSecret({ url: broker }, `${broker}2`)).toBe(true);
    expect(asksSecret({ url: broker }, 'https://example.com')).toBe(false);
  });

  it.each(['https://example.com/hook', 'ftp://example.com', 'exam', ''])('signs requests for %j', (url) => {
    const signing = firstSigning();
    expect(credentialOf(url)).toBeNull();
    expect(signingOf(url, signing)).toEqual(signing);
  });
});
