import type { RateLimit } from '../http/request-budget.js';
import type { SiteClient } from '../sites/site-client.js';
import type { PlatformSession } from '../platform.js';
import { LemmyApi } from './lemmy-api.js';

const SESSION = {} as PlatformSession;
const COMMUNITY = { kind: 'community', site: 's.example', name: 'birds' } as const;
interface Asked {
  path: string;
  params: Record<string, string>;
}
type Answer = { json: unknown } | { status: number; error?: string };

/** An instance that states `site` about itself and gives these answers in turn, with what was asked of it. */
async function instance(site: Answer, answers: Answer[] = [], showsNsfw = false) {
  const asked: Asked[] = [];
  const limits: RateLimit[] = [];
  interface Request extends Partial<Asked> {
    read: (json: unknown) => unknown;
    refused: (status: number, body: object) => unknown;
  }
  const read = (request: Request, answer: Answer): Promise<unknown> => {
    if ('json' in answer) return Promise.resolve(request.read(answer.json));
    const { status, error } = answer;
    return Promise.resolve().then(() => request.refused(status, { error }));
  };
  const valueOf = (result: unknown): unknown => {
    const { done, value, fault } = result as { done: boolean; value?: unknown; fault?: string };
    return done ? value : { fault };
  };
  const client = {
    site: 's.example',
    limitTo: (limit: RateLimit) => limits.push(limit),
    document: async (request: Request) => valueOf(await read(request, site)),
    read: async (request: Request) => {
      asked.push({ path: request.path!, params: request.params ?? {} });
      const answer = answers.shift()!;
      const result = await read(request, answer);
      return 'json' in answer ? result : valueOf(result);
    },
  } as unknown as SiteClient;
  return { api: await LemmyApi.of(client, showsNsfw, SESSION), asked, limits };
}
const stating = (version: unknown, more: object = {}): Answer => ({ json: { version, ...more } });
const posts = (count: number, more: object = {}): Answer => ({
  json: { posts: Array.from({ length: count }, () => ({})), ...more },
});

describe('the API of a Lemmy instance', () => {
  it.each<[Answer, string]>([
    [stating('0.19.3'), '/api/v3/post/list'],
    [stating('v0.18'), '/api/v3/post/list'],
    [stating('nightly'), '/api/v3/post/list'],
    [stating('1.0.0'), '/api/v4/post/list'],
    [stating('v2.1'), '/api/v4/post/list'],
    [stating('nightly-10.2'), '/api/v4/post/list'],
    [{ status: 404 }, '/api/v4/post/list'],
  ])('of %j is at %s', async (site, path) => {
    const { api, asked } = await instance(site, [{ json: { posts: [{}], items: [{}] } }]);
    await api.listPosts(COMMUNITY, null, SESSION);
    expect(asked.map((one) => one.path)).toEqual([path]);
  });

  it.each([
    [{ message: 30, message_per_second: 60 }, [{ requests: 30, withinMs: 60_000 }]],
    [{ message: 1, message_per_second: 1 }, [{ requests: 1, withinMs: 1_000 }]],
    [{ message: 2, message_per_second: 7_201 }, [{ requests: 2, withinMs: 7_200_000 }]],
    [{ message: 0, message_per_second: 60 }, []],
    [{ message: 30, message_per_second: 0 }, []],
    [{ message: 30 }, []],
    [null, []],
  ])('that states %j as limit keeps to %j', async (local_site_rate_limit, expected) => {
    const { limits } = await instance(stating('0.19', { site_view: { local_site_rate_limit } }));
    expect(limits).toEqual(expected);
  });

  it('of either version has its own words', async () => {
    const three = await instance(stating('0.19'), [posts(1)], true);
    await three.api.listPosts({ ...COMMUNITY, kind: 'local' }, null, SESSION);
    expect(three.asked[0]!.params).toEqual({ type_: 'Local', sort: 'New', limit: '50', show_nsfw: 'true' });
    const four = await instance(stating('1.0'), [{ json: { items: [{}], next_page: 'N' } }]);
    const page = await four.api.listPosts(COMMUNITY, 'cC B', SESSION);
    expect(page.after).toBe('cN C');
    expect(four.asked[0]!.params).toEqual({
      ...{ type_: 'all', community_name: 'birds', sort: 'new', limit: '50' },
      ...{ time_range_seconds: '0', page_cursor: 'C' },
    });
  });

  it('reads posts of an account where its version has them', async () => {
    for (const [version, path] of [
      ['0.19', '/api/v3/user'],
      ['1.0', '/api/v4/post/list'],
    ] as const) {
      const { api, asked } = await instance(stating(version), [{ json: { posts: [{}], items: [{}] } }]);
      await api.listPosts({ ...COMMUNITY, kind: 'user' }, null, SESSION);
      expect(asked.map((one) => one.path)).toEqual([path]);
    }
  });
});

describe('the pages of a Lemmy instance of version 3', () => {
  it.each<[string | null, number, object, string | null]>([
    [null, 50, {}, 'p2'],
    [null, 1, {}, 'p2'],
    ['p2', 1, { next_page: 'N' }, 'cN'],
    ['p2', 1, { next_page: 3 }, 'c3'],
    ['p9', 37, {}, 'p10'],
    ['p10', 38, {}, 'p11'],
    ['p10', 37, {}, null],
    ['p100', 38, {}, 'p101'],
    ['p100', 37, {}, null],
    ['p199', 50, {}, 'p200'],
    ['p200', 50, {}, null],
  ])('go on after %s with %i posts and %j at %s', async (after, count, more, expected) => {
    const { api, asked } = await instance(stating('0.19'), [posts(count, more)]);
    expect((await api.listPosts(COMMUNITY, after, SESSION)).after).toBe(expected);
    expect(asked[0]!.params.page).toBe(after === null ? undefined : after.slice(1));
  });

  it('are read again from the page before, or the first one, when a cursor is refused', async () => {
    const refusal: Answer = { status: 400, error: 'couldnt_find_post' };
    const { api, asked } = await instance(stating('0.19'), [refusal, refusal, posts(1, { next_page: 'N' })]);
    expect((await api.listPosts(COMMUNITY, 'cB A', SESSION)).after).toBe('cN');
    expect(asked.map(({ params }) => params.page_cursor)).toEqual(['B', 'A', undefined]);
    const again = await instance(stating('0.19'), [refusal, posts(1, { next_page: 'B' })]);
    await expect(again.api.listPosts(COMMUNITY, 'cB', SESSION)).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it.each([
    ['p11', 'couldnt_get_posts', true],
    ['p101', 'unknown', true],
    ['p12', 'unknown', false],
    ['p11', 'other', false],
  ])('at %s that are refused with %s are the end of what is shown: %s', async (after, error, isCut) => {
    const { api } = await instance(stating('0.19'), [{ status: 400, error }]);
    const page = api.listPosts(COMMUNITY, after, SESSION);
    if (isCut) expect(await page).toMatchObject({ views: [], after: null });
    else await expect(page).rejects.toThrow();
  });

  it.each([
    ['rate_limit_error', { fault: 'rate_limited' }],
    ['couldnt_find_post', null],
    ['not_found', null],
  ])('with the error %s are answered with %j', async (error, expected) => {
    const { api } = await instance(stating('0.19'), [{ status: 400, error }]);
    expect(await api.getView('post', '7', SESSION)).toEqual(expected);
  });

  it.each(['instance_is_private', 'not_logged_in'])(
    'with the error %s are those of members',
    async (error) => {
      const { api } = await instance(stating('0.19'), [{ status: 400, error }]);
      await expect(api.getView('post', '7', SESSION)).rejects.toMatchObject({ code: 'target_private' });
    },
  );
});
