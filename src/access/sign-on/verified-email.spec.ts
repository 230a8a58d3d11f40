import {
  areIncomplete,
  type ClaimName,
  type Claims,
  NEEDED_CLAIMS,
  verifiedEmail,
} from './verified-email.js';

const ANN = 'ann@example.org';
/** Of each claim: a statement that lets Ann in, the same in another spelling, and texts that are refused. */
const STATEMENTS: Record<ClaimName, { good: unknown; alike: unknown; bad: string[] }> = {
  email: { good: ANN, alike: 'Ann@Example.ORG', bad: [] },
  email_verified: { good: true, alike: 'true', bad: ['false', 'TRUE', 'yes'] },
};
const NAMES = Object.keys(NEEDED_CLAIMS) as ClaimName[];
const COMPLETE: Claims = Object.fromEntries(NAMES.map((name) => [name, STATEMENTS[name].good]));
/** What leaves a claim open, and what is none. */
const [UNSTATED, WRONG] = [
  [undefined, null, ''],
  [false, 0, 1, [true], [ANN], {}],
];

const without = (name: string): Claims =>
  Object.fromEntries(Object.entries(COMPLETE).filter(([other]) => other !== name));

describe.each(NAMES)('the claim %s', (name) => {
  const { good, alike, bad } = STATEMENTS[name];

  it.each(UNSTATED)('is not stated by %j, so the other place counts', (value) => {
    const open = { ...COMPLETE, [name]: value };
    expect([areIncomplete(open), areIncomplete(without(name))]).toEqual([true, true]);
    for (const other of [{}, { [name]: value }]) {
      expect(verifiedEmail(open, other)).toBeNull();
      expect(verifiedEmail(other, open)).toBeNull();
    }
    expect(verifiedEmail(open, { [name]: good })).toBe(ANN);
    expect(verifiedEmail({ [name]: good }, open)).toBe(ANN);
  });

  it.each([...WRONG, ...bad])('with %j is refused, whatever the other place says', (value) => {
    const wrong = { ...COMPLETE, [name]: value };
    expect(areIncomplete(wrong)).toBe(false);
    for (const other of [{}, COMPLETE, { [name]: value }]) {
      expect(verifiedEmail(wrong, other)).toBeNull();
      expect(verifiedEmail(other, wrong)).toBeNull();
    }
  });

  it('may be spelt in two ways', () => {
    expect(verifiedEmail(COMPLETE, { [name]: alike })).toBe(ANN);
    expect(verifiedEmail({ ...COMPLETE, [name]: alike })).toBe(ANN);
  });
});

describe('the verified address of an account', () => {
  it.each([
    [ANN, 'bob@example.org'],
    ['kim@x.org', '\u212aim@x.org'],
  ])('is neither of %s and %s', (email, other) => {
    expect(verifiedEmail({ email }, { email: other, email_verified: true })).toBeNull();
    expect(verifiedEmail({ email: other, email_verified: true }, { email })).toBeNull();
  });
});
