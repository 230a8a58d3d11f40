import { LimitedSender } from '../http/limited-sender.js';
import { REQUESTOR_LIMITS, type WireRequest, type WireResponse } from '../http/requestor.js';
import { OPEN_RULES } from '../http/retry-policy.js';
import { retryDependencies } from '../http/with-retry.js';
import type { PlatformSession } from '../platform.js';
import { SiteClient } from './site-client.js';

const NONE = { remaining: null, used: null, reset: null, retryAfter: null, authenticate: null, link: null };
const SESSION: PlatformSession = {
  signal: new AbortController().signal,
  workspaceId: 'w',
  priority: 'normal',
  onRequest: () => undefined,
};
const POLICY = {
  rules: OPEN_RULES,
  source: 'site.example',
  remedies: { rate_limited: '', blocked: '', unauthorized: '' },
};
const FORBIDS = 'User-agent: *\nDisallow: /';

/** What is answered: a status, a status with a text, a redirect to an address; several in their order, the last for good. */
type Answer = number | string | [number, string];
type Answers = Record<string, Answer | Answer[]>;

/** What becomes of a request for `/page`, and the addresses that were asked, those outside of the site after `!`. */
async function read(answers: Answers, baseUrl = 'https://site.example'): Promise<[string, string[]]> {
  const asked: string[] = [];
  const answer = (mark: string, { url }: WireRequest): WireResponse => {
    asked.push(mark + url);
    const all = answers[mark + url] ?? answers[url] ?? 404;
    const given = Array.isArray(all) && typeof all[1] !== 'string' ? all : [all as Answer];
    const now = given[Math.min(given.length, asked.filter((one) => one === mark + url).length) - 1]!;
    const [status, text] = typeof now === 'number' ? [now, ''] : typeof now === 'string' ? [301, ''] : now;
    return { status, text, headers: { ...NONE, location: typeof now === 'string' ? now : null } };
  };
  const senderOf = (mark: string): LimitedSender => {
    const send = (wire: WireRequest) => Promise.resolve(answer(mark, wire));
    return new LimitedSender('test', { limits: REQUESTOR_LIMITS, send }, null);
  };
  const client = new SiteClient({
    site: 'site.example',
    baseUrl,
    sender: senderOf(''),
    outside: senderOf('!'),
    dependencies: retryDependencies(POLICY, undefined, { sleep: () => Promise.resolve() }),
    ignoresRobots: false,
  });
  const request = { what: 'the page', path: '/page', read: () => 'read' };
  const result = await client.read<string>(request, SESSION).catch(({ code }: { code: string }) => code);
  return [result, asked];
}

const SITE = 'https://site.example';
const ROBOTS = `${SITE}/robots.txt`;
const PAGE = { [`${SITE}/page`]: [200, '{}'] as Answer };
/** Redirects of robots.txt, the last of which leads to `end`. */
const chain = (length: number, end: Answer): Answers =>
  Object.fromEntries(
    Array.from({ length: length + 1 }, (_, at) => [
      at === 0 ? ROBOTS : `${SITE}/r${at}`,
      at === length ? end : `/r${at + 1}`,
    ]),
  );

describe('the robots.txt of a site', () => {
  it.each<[string, Answers, string]>([
    ['is not there', { [ROBOTS]: 404 }, 'read'],
    ['is refused', { [ROBOTS]: [403, '<html>no</html>'] }, 'read'],
    ['asks for a login', { [ROBOTS]: 401 }, 'read'],
    ['forbids', { [ROBOTS]: [200, FORBIDS] }, 'target_forbidden'],
    ['limits requests at first', { [ROBOTS]: [429, [200, FORBIDS]] }, 'target_forbidden'],
    ['fails at first', { [ROBOTS]: [503, 404] }, 'read'],
    ['limits requests', { [ROBOTS]: 429 }, 'rate_limited'],
    ['fails', { [ROBOTS]: 503 }, 'unavailable'],
    ['is not implemented', { [ROBOTS]: 501 }, 'unavailable'],
    ['is moved', chain(1, [200, FORBIDS]), 'target_forbidden'],
    ['is moved five times', chain(5, [200, FORBIDS]), 'target_forbidden'],
    ['is moved six times', chain(6, [200, FORBIDS]), 'read'],
    ['is moved nowhere', { [ROBOTS]: 'ftp://e.org/' }, 'read'],
    ['is moved, then limits requests', chain(1, 429), 'rate_limited'],
  ])('%s', async (_, answers, result) => {
    const [found, asked] = await read({ ...answers, ...PAGE });
    expect(found).toBe(result);
    expect(asked.includes(`${SITE}/page`)).toBe(result === 'read');
  });

  it('on another site is requested like a site that a user names', async () => {
    const base = 'http://10.0.0.1:8080/forum';
    const answers: Answers = {
      'http://10.0.0.1:8080/robots.txt': 'https://site.example/static.txt',
      'http://10.0.0.1:8080/static.txt': 'https://other.example/robots.txt',
      '!https://other.example/robots.txt': [200, FORBIDS],
    };
    expect(await read(answers, base)).toEqual(['target_forbidden', [...Object.keys(answers)]]);
  });
});

describe('a request to a site', () => {
  it.each<[string, Answer, string]>([
    ['content', [200, '{}'], 'read'],
    ['a login', 401, 'target_private'],
    ['a refusal', 403, 'target_forbidden'],
    ['nothing', 404, 'target_not_found'],
    ['another refusal', 400, 'bad_answer'],
    ['a page within the site', '/new', 'read'],
    ['a page of its name in another spelling', 'http://SITE.example/new', 'read'],
    ['another site', 'https://other.example/page', 'target_not_found'],
    ['a page for members', '/login?next=page', 'target_private'],
    ['itself', '/page', 'bad_answer'],
  ])('that is answered with %s', async (_, answer, result) => {
    const answers = { [`${SITE}/page`]: answer, [`${SITE}/new`]: [200, '{}'] as Answer };
    expect((await read(answers))[0]).toBe(result);
  });
});
