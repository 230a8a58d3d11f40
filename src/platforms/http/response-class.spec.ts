import type { WireResponse } from './requestor.js';
import { classifyPlatformResponse } from './response-class.js';

const NONE = {
  location: null,
  retryAfter: null,
  remaining: null,
  used: null,
  reset: null,
  authenticate: null,
  link: null,
};
const classOf = (status: number, text: string, headers: Partial<WireResponse['headers']> = {}) =>
  classifyPlatformResponse({ status, text, headers: { ...NONE, ...headers } }, Date.UTC(2026, 4, 1));
const fault = (kind: string, detail: unknown, requestedWaitMs: number | null = null) => ({
  kind: 'fault',
  fault: kind,
  detail,
  requestedWaitMs,
});

describe('the class of a response', () => {
  it.each<[string, ReturnType<typeof classOf>, unknown]>([
    ['content', classOf(200, '{"kind":"Listing"}'), { kind: 'content', json: { kind: 'Listing' } }],
    [
      'content that has an error field of its own next to its kind',
      classOf(200, '{"kind":"t3","error":500}'),
      { kind: 'content', json: { kind: 't3', error: 500 } },
    ],
    ['an error in a success', classOf(200, '{"error":503,"message":"x"}'), fault('server', 'status 503')],
    [
      'a refusal in a success',
      classOf(200, '{"error":404,"message":"x"}'),
      { kind: 'refusal', status: 404, body: { error: 404, message: 'x' } },
    ],
    [
      'a used up budget, with the end of the window',
      classOf(429, '', { reset: '42' }),
      fault('rate_limited', 'status 429', 42_000),
    ],
    [
      'a used up budget in a success, whose headers are those of a window that is not full',
      classOf(200, '{"error":429}', { reset: '42' }),
      fault('rate_limited', 'status 429'),
    ],
    ['a block page', classOf(200, '<html><title> Blocked\n</title>'), fault('blocked', 'Blocked')],
    ['any page with status 403', classOf(403, '<html><h1>Sorry</h1>'), fault('blocked', 'Sorry')],
    [
      'a page with status 404 that offers a captcha',
      classOf(404, '<html>captcha</html>'),
      { kind: 'refusal', status: 404, body: null },
    ],
    [
      'another page',
      classOf(200, '<html>welcome</html>'),
      fault('unreadable', 'status 200 with an HTML page'),
    ],
    ['nothing', classOf(200, ' \n'), fault('unreadable', 'status 200 with an empty body')],
    ['half an answer', classOf(200, '{"a":'), fault('unreadable', 'status 200 with truncated or not JSON')],
    ['another success', classOf(204, '{}'), fault('unreadable', expect.stringContaining('status 204'))],
    ['a redirect', classOf(302, '', { location: '/x' }), { kind: 'redirect', location: '/x' }],
    [
      'a refusal',
      classOf(403, '{"reason":"private"}'),
      { kind: 'refusal', status: 403, body: { reason: 'private' } },
    ],
  ])('is that of %s', (_, found, expected) => expect(found).toEqual(expected));

  it.each([
    ['<title>Just a moment...</title>', 'Just a moment...'],
    ['<title>x</title><noscript>Enable JavaScript and cookies to continue</noscript>', 'x'],
    ['<title>Checking you are not a bot</title>', 'Checking you are not a bot'],
    ['<title>Making sure you&#39;re not a bot!</title>', "Making sure you're not a bot!"],
    ['<title lang="en">Attention Required! | Cloudflare</title>', 'Attention Required! | Cloudflare'],
    ['<h1>Verifying you are human. This may take a few seconds.</h1>', /^Verifying/],
    ['<p>Checking your browser before accessing the site</p>', /^Checking/],
    ['<title>Human Verification</title>', 'Human Verification'],
    ['<title>Vercel Security Checkpoint</title>', 'Vercel Security Checkpoint'],
    ['<title>Pardon Our Interruption</title>', 'Pardon Our Interruption'],
    ['<title>Access to this page has been denied</title>', /^Access/],
    ['<title>Verifying your browser</title>', 'Verifying your browser'],
    ['<title>Are you human?</title>', 'Are you human?'],
    ['<title>x</title><p>Press &amp; Hold to confirm you are a human (and not a bot).', 'x'],
    ['<title>x</title><p>Please confirm you&rsquo;re a human', 'x'],
    ['<title>x</title><p>I&#39;m not a robot', 'x'],
    ['<title>x</title><script src="/_Incapsula_Resource?SWJIYLWA=1"></script>', 'x'],
    ['<title>x</title><script src="https://1.edge.sdk.awswaf.com/2/challenge.js"></script>', 'x'],
    ['<title>x</title><script>sucuri_cloudproxy_js=""</script>', 'x'],
    ['<title>x</title><p>Our systems have detected unusual traffic from your computer network.', 'x'],
  ])('is that of a block page for %s', (page, name) =>
    expect(classOf(200, `<!doctype html><html>${page}</html>`)).toMatchObject({
      fault: 'blocked',
      detail: typeof name === 'string' ? name : expect.stringMatching(name),
    }),
  );

  it.each([
    '<title>Down for maintenance</title><p>We will be back in a moment. Please wait.</p>',
    '<title>Forum</title><p>There was just a moment of silence.</p>',
    '<title>Bots and robots</title>',
  ])('is that of no block page for %s', (page) =>
    expect(classOf(200, `<html>${page}</html>`)).toMatchObject({ fault: 'unreadable' }),
  );

  it('names a block page in at most 80 characters, even without a title', () => {
    expect(classOf(403, `<html><title>${'x'.repeat(500)}</title>`)).toMatchObject({ detail: 'x'.repeat(80) });
    expect(classOf(403, '<html><style>p{}</style><p>Please  wait</p>')).toMatchObject({
      detail: 'Please wait',
    });
    expect(classOf(403, '<html></html>')).toMatchObject({ detail: 'HTML page without a title' });
  });
});
