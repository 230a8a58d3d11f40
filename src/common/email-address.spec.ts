import { normalEmail } from './email-address.js';

describe('the normal form of an email address', () => {
  it('has ASCII letters in lower case', () => {
    expect(normalEmail('Mixed.CASE@Example.ORG')).toBe('mixed.case@example.org');
    expect(normalEmail('AZ[`az{@09.org')).toBe('az[`az{@09.org');
  });

  it.each([
    '\u212aim@example.org',
    '\u212bsa@example.org',
    '\u0130vo@x.org',
    'É@x.org',
    '\uff2b@x.org',
    '\u017f@x.org',
  ])('keeps other characters: %s', (address) => {
    expect(normalEmail(address)).toBe(address);
  });
});
