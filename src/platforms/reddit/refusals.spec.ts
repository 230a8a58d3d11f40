import { redirectRefusal, refusal } from './refusals.js';

const FORUM = { kind: 'forum', name: 'technology' } as const;

describe('a refusal', () => {
  it.each(['constructor', '__proto__', 'toString', 'unheard of'])(
    'with the unknown reason %j is classified by its status',
    (reason) => {
      expect(refusal(FORUM, 403, { reason })).toMatchObject({ code: 'target_forbidden' });
      expect(refusal(FORUM, 404, { reason })).toMatchObject({ code: 'target_not_found' });
    },
  );

  it.each([
    [403, 'target_forbidden'],
    [404, 'target_not_found'],
    [410, 'target_not_found'],
    [451, 'target_forbidden'],
    [400, 'bad_answer'],
  ])('with status %d is classified as %s', (status, code) => {
    expect(refusal(FORUM, status, null)).toMatchObject({ code });
  });

  it("quotes the platform's explanation in at most 200 characters", () => {
    const { message } = refusal(FORUM, 403, {
      reason: 'private',
      message: 'Forbidden',
      explanation: `<b>Ask</b>\n us &amp; wait ${'x'.repeat(500)}`,
    });
    const [, quoted] = /\(it says: (.*)\)$/.exec(message)!;
    expect(quoted).toMatch(/^Ask us & wait x+$/);
    expect(quoted).toHaveLength(200);
    expect(refusal(FORUM, 403, { message: 'Forbidden' }).message).not.toContain('it says');
  });

  it.each([
    ['/subreddits/search.json?q=x', 'target_not_found'],
    ['/quarantine', 'target_quarantined'],
    ['/over18?dest=x', 'target_gated'],
    ['/login/', 'target_forbidden'],
    ['/search.json', 'target_not_found'],
    ['/quarantine_optin.json', 'target_quarantined'],
    ['/gated', 'target_gated'],
    ['/r/Technology/new', undefined],
    ['/r/search/new', undefined],
    ['/r/login/new', undefined],
    ['/user/over18/submitted', undefined],
    ['/r/quarantine/new', undefined],
  ])('is the meaning of a redirect to %s: %s', (path, code) => {
    expect(redirectRefusal(FORUM, new URL(path, 'https://oauth.example'))?.code).toBe(code);
  });
});
