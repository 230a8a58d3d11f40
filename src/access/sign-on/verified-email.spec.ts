import { areIncomplete, type Claims, verifiedEmail } from './verified-email.js';

const ANN = 'ann@example.org';

describe('the verified address of an account', () => {
  it.each<[string, Claims, Claims, string | null]>([
    ['both in one place', { email: ANN, email_verified: true }, {}, ANN],
    ['the address first', { email: ANN }, { email_verified: true }, ANN],
    ['the verification first', { email_verified: true }, { email: ANN }, ANN],
    ['the same address twice', { email: ANN }, { email: 'Ann@Example.ORG', email_verified: true }, ANN],
    ['a verification of nothing', { email_verified: true }, {}, null],
    ['an address that none calls verified', { email: ANN }, { email: ANN }, null],
    ['a contradiction', { email: ANN, email_verified: false }, { email: ANN, email_verified: true }, null],
    ['a contradiction the other way', { email: ANN, email_verified: true }, { email_verified: false }, null],
    ['two addresses', { email: ANN }, { email: 'bob@example.org', email_verified: true }, null],
    [
      'two that look the same',
      { email: 'kim@x.org' },
      { email: '\u212aim@x.org', email_verified: true },
      null,
    ],
    ['a list of addresses', { email: [ANN], email_verified: true }, {}, null],
    ['no address', { email: null, email_verified: true }, {}, null],
    ['a list of verifications', { email: ANN, email_verified: [true] }, {}, null],
    ['the number 1 as verification', { email: ANN, email_verified: 1 }, {}, null],
    ['a verification as text', { email: ANN }, { email_verified: 'true' }, ANN],
    ['the text false', { email: ANN, email_verified: 'false' }, {}, null],
    ['a contradiction as text', { email: ANN, email_verified: 'false' }, { email_verified: true }, null],
    ['another text as verification', { email: ANN, email_verified: 'yes' }, {}, null],
    ['an empty address beside one', { email: '', email_verified: true }, { email: ANN }, ANN],
    ['no verification beside one', { email: ANN, email_verified: null }, { email_verified: true }, ANN],
    ['no verification', { email: ANN, email_verified: null }, {}, null],
    ['nothing', {}, {}, null],
  ])('of %s', (_case, idToken, userInfo, expected) => {
    expect(verifiedEmail(idToken, userInfo)).toBe(expected);
  });

  it.each<[Claims, boolean]>([
    [{ email: ANN, email_verified: true }, false],
    [{ email: ANN, email_verified: false }, false],
    [{ email: ANN }, true],
    [{ email_verified: true }, true],
    [{ email: ANN, email_verified: null }, true],
    [{ email: '', email_verified: true }, true],
    [{ email: ANN, email_verified: 'false' }, false],
  ])('is left open by %j: %s', (claims, expected) => {
    expect(areIncomplete(claims)).toBe(expected);
  });
});
