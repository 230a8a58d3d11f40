import { RecordedServer } from '../src/cli/source-check/recorded-server.js';
import type { RecordedAnswer } from '../src/cli/source-check/recorded-source.js';
import { CheckedPlatform } from '../src/cli/source-check/source-walk.js';
import type {
  ListingPage,
  Platform,
  PlatformComment,
  PlatformSession,
  TreePost,
} from '../src/platforms/platform.js';
import { SOURCES } from '../src/platforms/registry.js';

const SITE = 'site.example';
const TIME = '2026-01-02T03:04:05.000Z';

/** Answers by path, in their order or by the query; the last one stays. Other paths are answered with 404. */
type Answers = Record<string, unknown>;

const answer = (status: number, body: unknown, headers = {}): RecordedAnswer => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers,
});
const isAnswer = (value: unknown): value is RecordedAnswer =>
  typeof value === 'object' && value !== null && 'status' in value && 'headers' in value;

interface Fact {
  source: string;
  fact: string;
  answers: Answers;
  variables?: Record<string, string>;
  /** What is asked of the platform; failed requests are not repeated unless `session` is that of a job. */
  ask: (
    platform: Platform,
    brief: PlatformSession,
    session: PlatformSession,
    checked: CheckedPlatform,
  ) => Promise<unknown>;
  gives?: unknown;
  failsAs?: string;
  /** What the message of the failure contains. */
  says?: string;
}

const listing = (name: string, type: 'forum' | 'user' = 'forum') => {
  return (platform: Platform, session: PlatformSession): Promise<unknown> =>
    platform.fetchListing({ target: { type, name }, name: platform.listings[0], wanted: 10 }, null, session);
};
/** The number of posts of a whole listing, and whether its last page is said to be cut. */
const lengthOf = (name: string, type: 'forum' | 'user') => {
  return async (platform: Platform, session: PlatformSession): Promise<unknown> => {
    let count = 0;
    for (let after: string | null = null; ;) {
      const listed = { target: { type, name }, name: platform.listings[0], wanted: 9_999 };
      const page: ListingPage = await platform.fetchListing(listed, after, session);
      count += page.posts.length;
      if (page.after === null) return [count, page.isCut === true];
      after = page.after;
    }
  };
};
const threadOf = (post: Partial<TreePost> & { id: string }) => {
  return async (
    platform: Platform,
    session: PlatformSession,
  ): Promise<{ comments: unknown[]; missing: number }> => {
    const comments: PlatformComment[] = [];
    let missing = 0;
    for await (const slice of platform.walkComments({ forum: 'f', permalink: '/p', ...post }, session)) {
      comments.push(...slice.comments);
      missing = slice.missing;
    }
    return { comments: comments.map(({ id, body, depth }) => [id, body, depth]), missing };
  };
};
const loginNeeded = answer(403, { errors: ['You need to be logged in'], error_type: 'not_logged_in' });
const dcPost = (number: number, more = {}) => ({
  id: 100 + number,
  post_number: number,
  post_type: 1,
  username: 'ann',
  user_id: 1,
  created_at: TIME,
  cooked: `<p>text ${number}</p>`,
  ...more,
});
const dcTopic = (posts: unknown[], stream: unknown, more = {}) => ({
  id: 5,
  title: 'Topic',
  slug: 'topic',
  created_at: TIME,
  posts_count: 3,
  post_stream: { posts, ...(stream !== undefined && { stream }) },
  ...more,
});
const lmVersion = { '/api/v3/site': { version: '0.19.20' } };
const lmComment = (id: number, more = {}) => ({
  comment: { id, path: `0.${id}`, content: `text ${id}`, published: TIME, creator_id: 1, ...more },
  creator: { name: 'ann', local: true },
  counts: { child_count: 0, score: 1 },
});
const lmPost = (id: number, more = {}) => ({
  post: { id, name: `post ${id}`, published: TIME, ...more },
  creator: { name: 'ann', local: true },
  community: { name: 'c', actor_id: `https://${SITE}/c/c` },
  counts: { comments: 0, score: 1 },
});
const lm4Version = { '/api/v3/site': { version: '1.0.0', site_view: {} } };
const lm4 = { published: undefined, published_at: TIME };
const lm4Post = (id: number) => ({ ...lmPost(id, { ...lm4, score: 1 }), counts: undefined });
const lm4Comment = (id: number) => ({ ...lmComment(id, lm4), counts: undefined, post: { id: 7 } });
/** A list of version 4 whose pages lead on by cursors; empty for a request with other words. */
const lm4List = (words: Record<string, string>, views: readonly object[]) => (query: URLSearchParams) => {
  const page = Number(query.get('page_cursor')?.slice(1) ?? 0);
  const isAsked = Object.entries(words).every(([name, value]) => query.get(name) === value);
  const next_page = page + 1 < views.length ? `P${page + 1}` : null;
  return isAsked ? { items: views.slice(page, page + 1), next_page } : { items: [], next_page: null };
};
const softwareIs = (name: string): Answers => ({
  '/.well-known/nodeinfo': { links: [{ href: `https://${SITE}/nodeinfo/2.0.json` }] },
  '/nodeinfo/2.0.json': { software: { name, version: '1.0.0' } },
  // As which PieFed poses.
  '/api/v3/site': { version: '1.0.0', site_view: {} },
});
const piefed = softwareIs('PieFed');
const mbin = softwareIs('mbin');
const pfPost = (id: number, more = {}) => ({
  post: { id, title: `post ${id}`, body: 'text', published: TIME, user_id: 1, ...more },
  creator: { user_name: 'ann', local: false, actor_id: 'https://home.example/u/ann' },
  community: { name: 'c', actor_id: 'https://home.example/c/c', local: false, nsfw: false },
  counts: { comments: 2, score: 1, upvotes: 2, downvotes: 1 },
});
const pfComment = (id: number, more = {}) => ({
  comment: { id, path: `0.${id}`, body: `text ${id}`, published: TIME, user_id: 1, ...more },
  creator: { user_name: 'ann', local: true },
  counts: { child_count: 0, score: 1 },
});
const pfError = (message: string): RecordedAnswer =>
  answer(400, { code: 400, message, status: 'Bad Request' });
const mbMagazine = { '/api/magazine/name/c': { magazineId: 3, name: 'c' } };
const mbEntry = (id: number, more = {}) => ({
  entryId: id,
  title: `post ${id}`,
  body: 'text',
  createdAt: TIME,
  visibility: 'visible',
  user: { userId: 1, username: '@ann@home.example' },
  magazine: { magazineId: 3, name: 'c' },
  numComments: 2,
  favourites: 2,
  uv: 1,
  dv: 1,
  ...more,
});
const mbComment = (id: number, more = {}) => ({
  commentId: id,
  entryId: 7,
  body: `text ${id}`,
  createdAt: TIME,
  visibility: 'visible',
  user: { userId: 1, username: 'ann' },
  magazine: { magazineId: 3, name: 'c' },
  childCount: 0,
  children: [] as unknown[],
  ...more,
});
const mbPage = (items: unknown[], maxPage = 1) => ({ items, pagination: { maxPage } });
/** Trees of which each comment answers the one before it. */
const mbChain = (from: number, length: number): ReturnType<typeof mbComment> =>
  length === 1
    ? mbComment(from, { childCount: 1 })
    : mbComment(from, { childCount: length, children: [mbChain(from + 1, length - 1)] });
const mdStatus = (id: number) => ({
  id: String(id),
  created_at: TIME,
  content: `<p>text ${id}</p>`,
  account: { acct: 'ann' },
});
const linkBefore = (id: number) => ({ link: `<https://${SITE}/x?max_id=${id}>; rel="next"` });
const seItem = (kind: 'question' | 'answer' | 'comment', id: number, more = {}) => ({
  [`${kind}_id`]: id,
  creation_date: 1_767_323_045,
  last_activity_date: 1_767_323_045,
  body: `text ${id}`,
  score: 1,
  owner: { user_id: 1, display_name: 'ann' },
  ...more,
});
const seFilter = { '/filters/create': { items: [{ filter: 'f' }] } };
const idsOf = (posts: readonly { id: string }[]): string[] => posts.map(({ id }) => id);
const POST_URI = 'at://did:plc:abc/app.bsky.feed.post/3k';
const instance = { uri: SITE, version: '4.5.0' };
const bsPost = (key: string, more = {}) => ({
  uri: `at://did:plc:abc/app.bsky.feed.post/${key}`,
  author: { handle: 'ann.example' },
  record: { text: 'a', createdAt: TIME },
  ...more,
});
const ghIssue = (number: number, more = {}) => ({
  number,
  title: `issue ${number}`,
  body: 'text',
  user: { login: 'ann' },
  comments: 2,
  created_at: TIME,
  repository_url: 'https://api.github.com/repos/Acme/Widgets',
  ...more,
});
const ghComment = (id: number, more = {}) => ({
  id,
  body: `text ${id}`,
  user: { login: 'bob' },
  created_at: TIME,
  ...more,
});
const nbTopic = (tid: number) => ({
  tid,
  cid: 2,
  title: 'Topic',
  timestamp: Date.parse(TIME),
  mainPid: tid * 10,
  postcount: 3,
});
const nbPost = (pid: number, more = {}) => ({
  pid,
  uid: 1,
  content: `<p>text ${pid}</p>`,
  timestamp: Date.parse(TIME),
  ...more,
});
const flPost = (id: number, number: number, more = {}) => ({
  type: 'posts',
  id: String(id),
  attributes: { number, contentType: 'comment', contentHtml: `<p>text ${id}</p>`, createdAt: TIME, ...more },
});
const flDiscussion = (id: number) => ({
  type: 'discussions',
  id: String(id),
  attributes: { title: 'Discussion', commentCount: 1, createdAt: TIME },
  relationships: { firstPost: { data: { type: 'posts', id: String(id * 10) } } },
});
const recordNotFound = answer(404, { error: 'Record not found' });

/** What the platforms do on the wire that a reader must know. A fact of a platform is added here. */
const FACTS: Fact[] = [
  {
    source: 'discourse',
    fact: 'a forum for members refuses its listing',
    answers: { '/latest.json': loginNeeded },
    ask: listing(SITE),
    failsAs: 'target_private',
  },
  {
    source: 'discourse',
    fact: 'an old forum for members redirects to its login',
    answers: { '/latest.json': answer(302, '', { location: '/login' }) },
    ask: listing(SITE),
    failsAs: 'target_private',
  },
  {
    source: 'discourse',
    fact: 'a refused program gets text, which does not mean that a topic is gone',
    answers: { '/t/5.json': answer(403, 'Forbidden') },
    ask: (platform, session) => platform.fetchPosts(['dc_site.example_5'], session),
    failsAs: 'target_forbidden',
  },
  {
    source: 'discourse',
    fact: 'a private or unknown topic is refused in JSON',
    answers: { '/t/5.json': answer(403, { errors: ['no'], error_type: 'invalid_access' }) },
    ask: (platform, session) => platform.fetchPosts(['dc_site.example_5'], session),
    gives: [],
  },
  {
    source: 'discourse',
    fact: 'a limit is plain text with the time to wait',
    answers: {
      '/latest.json': [
        answer(429, 'Slow down, you are making too many requests.', { 'retry-after': '1' }),
        { topic_list: { topics: [] } },
      ],
    },
    ask: (platform, _brief, session) => listing(SITE)(platform, session),
    gives: { posts: [], after: null },
  },
  {
    source: 'discourse',
    fact: 'a limit of an action is JSON that says how long to wait',
    answers: {
      '/latest.json': answer(429, {
        errors: ['You’ve performed this action too many times.'],
        error_type: 'rate_limit',
        extras: { wait_seconds: 24, time_left: '24 seconds' },
      }),
    },
    ask: listing(SITE),
    failsAs: 'rate_limited',
    says: 'it asks to wait another 24 s',
  },
  {
    source: 'discourse',
    fact: 'a limit without a header says in its text how long to wait',
    answers: { '/latest.json': answer(429, 'Slow down.\nPlease retry again in 10 seconds.\n') },
    ask: listing(SITE),
    failsAs: 'rate_limited',
    says: 'it asks to wait another 10 s',
  },
  {
    source: 'discourse',
    fact: 'a topic that was merged leads to another one, and is neither that nor deleted',
    answers: {
      '/t/5.json': answer(301, '', { location: '/t/other/6.json' }),
      '/t/other/6.json': dcTopic([dcPost(1), dcPost(2)], [101, 102], { id: 6 }),
    },
    ask: async (platform, session) => [
      await platform.fetchPosts(['dc_site.example_5'], session),
      await platform.lookup!.findGonePosts(['dc_site.example_5'], session),
      await threadOf({ id: 'dc_site.example_5' })(platform, session),
    ],
    gives: [[], [], { comments: [], missing: 1 }],
  },
  {
    source: 'discourse',
    fact: 'a site may give fewer posts at a time than a request names',
    answers: {
      '/t/5.json': dcTopic(
        [dcPost(1)],
        Array.from({ length: 31 }, (_, index) => 101 + index),
      ),
      '/t/5/posts.json': [2, 12, 22].map((from) => ({
        post_stream: { posts: Array.from({ length: 10 }, (_, index) => dcPost(from + index)) },
      })),
    },
    ask: async (platform, session) => {
      const { comments, missing } = await threadOf({ id: 'dc_site.example_5' })(platform, session);
      return [comments.length, missing];
    },
    gives: [30, 0],
  },
  {
    source: 'discourse',
    fact: 'a site with very many categories lists them on a page of their own',
    answers: {
      '/site.json': { groups: [] },
      '/categories.json': {
        category_list: {
          categories: [
            { id: 3, slug: 'support', subcategory_list: [{ id: 4, slug: 'howto', parent_category_id: 3 }] },
          ],
        },
      },
      '/latest.json': {
        topic_list: { topics: [{ id: 5, title: 'Topic', created_at: TIME, category_id: 4, posts_count: 1 }] },
      },
    },
    ask: async (platform, session) => {
      const { posts } = (await listing(SITE)(platform, session)) as { posts: { forum: string }[] };
      return posts.map(({ forum }) => forum);
    },
    gives: ['discourse:site.example/c/support/howto'],
  },
  {
    source: 'discourse',
    fact: 'a site that shows no categories still has topics',
    answers: {
      '/latest.json': {
        topic_list: { topics: [{ id: 5, title: 'Topic', created_at: TIME, category_id: 4, posts_count: 1 }] },
      },
    },
    ask: async (platform, session) => {
      const { posts } = (await listing(SITE)(platform, session)) as { posts: { forum: string }[] };
      return posts.map(({ forum }) => forum);
    },
    gives: ['discourse:site.example'],
  },
  {
    source: 'discourse',
    fact: 'a sentence stands for a hidden text; notes and whispers are no comments',
    answers: {
      '/t/5.json': dcTopic(
        [
          dcPost(1),
          dcPost(2, { hidden: true, cooked: '<p>This post was flagged.</p>' }),
          dcPost(3, { post_type: 3, action_code: 'closed.enabled', cooked: '' }),
          dcPost(4, { post_type: 4 }),
          dcPost(5, { post_type: 2, reply_to_post_number: 2 }),
          dcPost(6, { user_deleted: true }),
          dcPost(7, { reply_to_post_number: 9 }),
        ],
        [101, 102, 103, 104, 105, 106, 107],
      ),
    },
    ask: threadOf({ id: 'dc_site.example_5' }),
    gives: {
      comments: [
        ['dc_site.example_102', '[deleted]', 0],
        ['dc_site.example_105', 'text 5', 1],
        ['dc_site.example_107', 'text 7', 0],
      ],
      missing: 0,
    },
  },
  {
    source: 'discourse',
    fact: 'a topic of more than 10,000 posts lists no ids',
    answers: {
      '/t/5.json': dcTopic([dcPost(1), dcPost(2)], [], { isMegaTopic: true, lastId: 104 }),
      '/t/5/posts.json': [{ post_stream: { posts: [dcPost(3), dcPost(4)] } }, { post_stream: { posts: [] } }],
    },
    ask: threadOf({ id: 'dc_site.example_5' }),
    gives: {
      comments: [2, 3, 4].map((number) => [`dc_site.example_${100 + number}`, `text ${number}`, 0]),
      missing: 0,
    },
  },
  {
    source: 'github',
    fact: 'a used-up window is a status 403 with the time of its end',
    answers: {
      '/repos/acme/widgets/issues': answer(
        403,
        { message: 'API rate limit exceeded' },
        {
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': '24',
        },
      ),
    },
    ask: listing('acme/widgets'),
    failsAs: 'rate_limited',
    says: 'it asks to wait another 24 s. Set GITHUB_TOKEN',
  },
  {
    source: 'github',
    fact: 'too many requests at once are a status 403 that says how long to wait',
    answers: {
      '/repos/acme/widgets/issues': answer(
        403,
        { message: 'You have exceeded a secondary rate limit' },
        {
          'x-ratelimit-remaining': '40',
          'retry-after': '7',
        },
      ),
    },
    ask: listing('acme/widgets'),
    failsAs: 'rate_limited',
    says: 'it asks to wait another 7 s',
  },
  ...(
    [
      [401, 'credentials_refused', 'Check GITHUB_TOKEN'],
      [403, 'target_forbidden', 'it says: no'],
      [404, 'target_not_found', 'There is no repository "acme/widgets"'],
      [410, 'target_not_found', 'issues switched off'],
      [451, 'target_banned', 'status 451'],
    ] as const
  ).map(([status, failsAs, says]): Fact => ({
    source: 'github',
    fact: `a repository is refused with status ${status}`,
    answers: { '/repos/acme/widgets/issues': answer(status, { message: 'no' }) },
    ask: listing('acme/widgets'),
    failsAs,
    says,
  })),
  {
    source: 'github',
    fact: 'a renamed repository redirects, and its posts have the new name',
    answers: {
      '/repos/acme/old/issues': answer(301, {}, { location: `/${SITE}/repositories/5/issues` }),
      '/repositories/5/issues': [[ghIssue(7)]],
    },
    ask: async (platform, session) => {
      const { posts } = (await listing('acme/old')(platform, session)) as ListingPage;
      return posts.map(({ id, forum }) => [id, forum]);
    },
    gives: [['gh_acme_widgets_7', 'github:Acme/Widgets']],
  },
  {
    source: 'github',
    fact: 'an account that is gone is ghost or null, and one item that cannot be read costs no other',
    answers: {
      '/repos/acme/widgets/issues': [
        [ghIssue(7, { user: null }), { title: 'no number' }, 5, ghIssue(8, { user: { login: 'ghost' } })],
      ],
    },
    ask: async (platform, session) => {
      const unread: number[] = [];
      const told = { ...session, onUnread: (count: number) => void unread.push(count) };
      const { posts } = (await listing('acme/widgets')(platform, told)) as ListingPage;
      return [posts.map(({ id, author }) => [id, author]), unread];
    },
    gives: [['gh_acme_widgets_7', 'gh_acme_widgets_8'].map((id) => [id, '[deleted]']), [2]],
  },
  {
    source: 'github',
    fact: 'a pass reads only what has changed since the last one',
    answers: {
      '/repos/acme/widgets/issues': (query: URLSearchParams) =>
        query.get('since') === TIME && query.get('state') === 'all' ? [ghIssue(7)] : [],
    },
    ask: async (platform, session) => {
      const target = { type: 'forum', name: 'acme/widgets' } as const;
      const listed = { target, name: 'activity', wanted: 9, since: new Date(TIME) };
      return idsOf((await platform.fetchListing(listed, null, session)).posts);
    },
    gives: ['gh_acme_widgets_7'],
  },
  {
    source: 'github',
    fact: 'a search gives no more than 1,000 results',
    answers: {
      '/search/issues': (query: URLSearchParams) => {
        const page = Number(query.get('page') ?? 1);
        const items = Array.from({ length: 100 }, (_, at) => ghIssue(page * 100 + at));
        const link = `<https://api.github.com/search/issues?page=${page + 1}>; rel="next"`;
        return answer(200, { total_count: 1_500, items }, page < 10 ? { link } : {});
      },
    },
    ask: lengthOf('user/ann', 'user'),
    gives: [1_000, true],
  },
  {
    source: 'github',
    fact: 'the comments of a repository are one list; an issue that it does not have whole is read by itself',
    answers: {
      '/repos/acme/widgets/issues': [[ghIssue(7), ghIssue(8), ghIssue(9)]],
      '/repos/acme/widgets/issues/comments': [
        [71, 81, 72].map((id) =>
          ghComment(id, {
            issue_url: `https://api.github.com/repos/Acme/Widgets/issues/${Math.floor(id / 10)}`,
          }),
        ),
      ],
      '/repos/acme/widgets/issues/8/comments': [[ghComment(80), ghComment(81, { user: { login: 'ann' } })]],
    },
    ask: async (platform, session) => {
      const { posts } = (await listing('acme/widgets')(platform, session)) as ListingPage;
      return Promise.all(posts.slice(0, 2).map((post) => threadOf(post)(platform, session)));
    },
    gives: [
      [72, 71],
      [80, 81],
    ].map((ids) => ({ comments: ids.map((id) => [`gh_${id}`, `text ${id}`, 0]), missing: 0 })),
  },
  {
    source: 'github',
    fact: 'only what GitHub calls gone is deleted: without a token, what is no issue may be a discussion',
    answers: { '/repos/acme/widgets/issues/7': answer(410, { message: 'This issue was deleted' }) },
    ask: async (platform, session) =>
      idsOf(await platform.lookup!.findGonePosts(['gh_acme_widgets_7', 'gh_acme_widgets_8'], session)),
    gives: ['gh_acme_widgets_7'],
  },
  {
    source: 'nodebb',
    fact: 'a topic can lack visitors’ rights, and is then neither read nor deleted',
    answers: { '/api/topic/5': answer(401, { status: { code: 'not-authorised' } }) },
    ask: async (platform, session) => [
      await platform.fetchPosts(['nb_site.example_5'], session),
      await platform.lookup!.findGonePosts(['nb_site.example_5'], session),
    ],
    gives: [[], []],
  },
  ...([401, 403] as const).map((status): Fact => ({
    source: 'nodebb',
    fact: `a category that visitors may not read is refused with ${status}`,
    answers: { '/api/category/2': answer(status, { status: { code: 'no' } }) },
    ask: listing(`${SITE}/category/2`),
    failsAs: status === 401 ? 'target_private' : 'target_forbidden',
  })),
  {
    source: 'nodebb',
    fact: 'a list of recent topics ends at 200, of a category at its last page',
    answers: {
      '/api/recent': (query: URLSearchParams) => ({
        topics: [nbTopic(Number(query.get('page')))],
        topicCount: 200,
        pagination: { pageCount: 2 },
      }),
    },
    ask: lengthOf(SITE, 'forum'),
    gives: [2, true],
  },
  {
    source: 'nodebb',
    fact: 'a deleted post has a sentence in place of its text; replies to it keep their depth',
    answers: {
      '/api/topic/5': (query: URLSearchParams) => ({
        ...nbTopic(5),
        pagination: { pageCount: 2 },
        posts:
          query.get('page') === '1'
            ? [nbPost(50), nbPost(51, { deleted: 1, deleterUid: 1, content: '[[topic:post_is_deleted]]' })]
            : [nbPost(52, { toPid: '51' }), nbPost(53, { toPid: 50, uid: 9 }), { pid: 54 }],
      }),
    },
    ask: threadOf({ id: 'nb_site.example_5' }),
    gives: {
      comments: [
        ['nb_site.example_52', 'text 52', 1],
        ['nb_site.example_53', 'text 53', 0],
      ],
      missing: 1,
    },
  },
  {
    source: 'nodebb',
    fact: 'a post that a moderator deleted is removed, one that moved is in another topic, one that was purged is nowhere',
    answers: {
      '/api/topic/5': { ...nbTopic(5), posts: [nbPost(50), nbPost(51, { deleted: 1, deleterUid: 7 })] },
      '/api/v3/posts/52': { response: nbPost(52) },
      '/api/recent': { topics: [] },
    },
    ask: async (platform, session) => {
      const ids = [51, 52, 53].map((pid) => `nb_site.example_${pid}`);
      const gone = await platform.lookup!.findGoneComments(ids, 'nb_site.example_5', session);
      return gone.map(({ id, reason }) => [id, reason]);
    },
    gives: [
      ['nb_site.example_51', 'removed'],
      ['nb_site.example_53', 'deleted'],
    ],
  },
  {
    source: 'nodebb',
    fact: 'a site says of itself what it is, and a topic has its category',
    answers: { '/api/config': { relative_path: '' }, '/api/topic/5': { ...nbTopic(5), posts: [nbPost(50)] } },
    ask: (platform, session) => platform.recognise!(new URL(`https://${SITE}/topic/5/a-topic/3`), session),
    gives: { type: 'forum', name: `${SITE}/category/2` },
  },
  {
    source: 'flarum',
    fact: 'a forum without tags refuses to include them',
    answers: {
      '/api/discussions': (query: URLSearchParams) =>
        query.get('include')!.includes('tags')
          ? answer(400, { errors: [{ status: '400', code: 'invalid_parameter' }] })
          : { data: [flDiscussion(5)], included: [flPost(50, 1)] },
    },
    ask: async (platform, session) => {
      const { posts } = (await listing(SITE)(platform, session)) as ListingPage;
      return posts.map(({ id, selftext, author }) => [id, selftext, author]);
    },
    gives: [['fl_site.example_5', 'text 50', '[deleted]']],
  },
  {
    source: 'flarum',
    fact: 'notes are no comments, hidden posts are left out, and a site may give fewer posts than asked for',
    answers: {
      '/api/posts': (query: URLSearchParams) => {
        const from = Number(query.get('page[offset]'));
        const next = `https://${SITE}/api/posts?page%5Boffset%5D=2`;
        return from === 0
          ? { data: [flPost(50, 1), flPost(51, 2, { contentType: 'discussionRenamed' })], links: { next } }
          : { data: [flPost(52, 3), flPost(53, 4, { isHidden: true }), { type: 'posts', id: '54' }] };
      },
    },
    ask: threadOf({ id: 'fl_site.example_5' }),
    gives: { comments: [['fl_site.example_52', 'text 52', 0]], missing: 1 },
  },
  {
    source: 'flarum',
    fact: 'an unknown tag is an empty list',
    answers: { '/api/discussions': { data: [] } },
    ask: listing(`${SITE}/t/none`),
    failsAs: 'target_not_found',
    says: 'the tag "none"',
  },
  {
    source: 'flarum',
    fact: 'a forum for members refuses its listing',
    answers: { '/api/discussions': answer(401, { errors: [{ code: 'not_authenticated' }] }) },
    ask: listing(SITE),
    failsAs: 'target_private',
  },
  {
    source: 'flarum',
    fact: 'a site says of itself what it is',
    answers: { '/api': { data: { type: 'forums' } } },
    ask: (platform, session) =>
      platform.recognise!(new URL(`https://${SITE}/t/Support?sort=newest`), session),
    gives: { type: 'forum', name: `${SITE}/t/support` },
  },
  {
    source: 'lemmy',
    fact: 'a limit is a status 400',
    answers: {
      ...lmVersion,
      '/api/v3/post/list': [answer(400, { error: 'rate_limit_error' }), { posts: [lmPost(7)] }],
    },
    ask: async (platform, _brief, session) =>
      ((await listing('c@site.example')(platform, session)) as { posts: unknown[] }).posts.length,
    gives: 1,
  },
  ...['v0.19.3', 'unknown version', '0.19.19-9-gc55dd700c'].map((version): Fact => ({
    source: 'lemmy',
    fact: `a version can be written as ${version}`,
    answers: { '/api/v3/site': { version }, '/api/v3/post/list': { posts: [lmPost(7)] } },
    ask: async (platform, session) =>
      idsOf(((await listing('c@site.example')(platform, session)) as { posts: { id: string }[] }).posts),
    gives: ['lm_site.example_7'],
  })),
  {
    source: 'lemmy',
    fact: 'a cursor is refused when the post that it names is gone, and the page before it leads on',
    answers: {
      ...lmVersion,
      '/api/v3/post/list': [
        { posts: Array.from({ length: 50 }, (_, index) => lmPost(200 - index)), next_page: 'P97' },
        answer(400, { error: 'unknown', message: 'Could not parse pagination token' }),
        { posts: Array.from({ length: 50 }, (_, index) => lmPost(199 - index)), next_page: 'P96' },
      ],
    },
    ask: async (platform, session) => {
      const page = (after: string | null) =>
        platform.fetchListing(
          { target: { type: 'forum', name: 'c@site.example' }, name: 'new', wanted: 100 },
          after,
          session,
        );
      const { posts, after } = await page((await page(null)).after);
      return [posts.at(-1)!.id, after];
    },
    gives: ['lm_site.example_150', 'cP96'],
  },
  {
    source: 'lemmy',
    fact: 'an instance states the limit of its requests',
    answers: {
      '/api/v3/site': {
        version: '0.19.20',
        site_view: { local_site_rate_limit: { message: 30, message_per_second: 60 } },
      },
      '/api/v3/post/list': { posts: [lmPost(7)] },
    },
    ask: async (platform, session, _, checked) => {
      await listing('c@site.example')(platform, session);
      return checked.statedLimits;
    },
    gives: [{ requests: 30, withinMs: 60_000 }],
  },
  ...[10, 100].map((pages): Fact => ({
    source: 'lemmy',
    fact: `a version gives ${pages} pages of an account's posts, and no cursor`,
    answers: {
      ...lmVersion,
      '/api/v3/user': (query: URLSearchParams) => {
        const page = Number(query.get('page') ?? 1);
        return page > pages
          ? answer(400, { error: 'unknown', message: 'Page is too large' })
          : { posts: Array.from({ length: 50 }, (_, index) => lmPost(page * 50 + index)), comments: [] };
      },
    },
    ask: lengthOf('ann@site.example', 'user'),
    gives: [pages * 50, true],
  })),
  ...['false', 'true'].map((isShown): Fact => ({
    source: 'lemmy',
    fact: `posts marked as not safe for work are listed on demand only (${isShown})`,
    variables: { SOURCE_SHOW_NSFW: isShown },
    answers: {
      ...lmVersion,
      '/api/v3/post/list': (query: URLSearchParams) => {
        const posts = [lmPost(8), ...(query.get('show_nsfw') === 'true' ? [lmPost(7, { nsfw: true })] : [])];
        return { posts: query.has('page') ? [] : posts };
      },
    },
    ask: lengthOf('c@site.example', 'forum'),
    gives: [isShown === 'true' ? 2 : 1, false],
  })),
  {
    source: 'lemmy',
    fact: 'a page before 1.0 can be short before the end',
    answers: {
      ...lmVersion,
      '/api/v3/post/list': [{ posts: [lmPost(9), lmPost(8)] }, { posts: [lmPost(7)] }, { posts: [] }],
    },
    ask: lengthOf('c@site.example', 'forum'),
    gives: [3, false],
  },
  {
    source: 'lemmy',
    fact: 'a community marked as not safe for work looks empty',
    answers: {
      ...lmVersion,
      '/api/v3/post/list': { posts: [] },
      '/api/v3/community': { community_view: { community: { name: 'c', nsfw: true } } },
    },
    ask: listing('c@site.example'),
    failsAs: 'target_forbidden',
    says: 'SOURCE_SHOW_NSFW=true',
  },
  {
    source: 'lemmy',
    fact: 'a community can be empty',
    answers: {
      ...lmVersion,
      '/api/v3/post/list': { posts: [] },
      '/api/v3/community': { community_view: { community: { name: 'c', nsfw: false } } },
    },
    ask: listing('c@site.example'),
    gives: { posts: [], after: null },
  },
  {
    source: 'lemmy',
    fact: 'a private instance is a status 400',
    answers: { ...lmVersion, '/api/v3/post/list': answer(400, { error: 'instance_is_private' }) },
    ask: listing('c@site.example'),
    failsAs: 'target_private',
  },
  {
    source: 'lemmy',
    fact: 'an unknown community is a status 404 of its own kind',
    answers: {
      ...lmVersion,
      '/api/v3/post/list': answer(404, { error: 'unknown', message: 'Record not found' }),
    },
    ask: listing('c@site.example'),
    failsAs: 'target_not_found',
  },
  {
    source: 'lemmy',
    fact: 'a page of a guard has status 200 and is HTML',
    answers: {
      ...lmVersion,
      '/api/v3/post/list': answer(200, '<html><title>Making sure you&#39;re not a bot!</title></html>'),
    },
    ask: listing('c@site.example'),
    failsAs: 'blocked',
  },
  ...(
    [
      ['forum', 'c', { type_: 'all', community_name: 'c' }],
      ['forum', 'local', { type_: 'local' }],
      ['user', 'ann', { creator_username: 'ann' }],
    ] as const
  ).map(([type, name, words]): Fact => ({
    source: 'lemmy',
    fact: `version 4 lists posts by cursors: ${type} ${name}`,
    answers: {
      ...lm4Version,
      '/api/v4/post/list': lm4List(
        { sort: 'new', time_range_seconds: '0', ...words },
        [7, 8, 9].map(lm4Post),
      ),
    },
    ask: lengthOf(`${name}@site.example`, type),
    gives: [3, false],
  })),
  {
    source: 'lemmy',
    fact: 'version 4 lists the comments of a thread by cursors',
    answers: {
      ...lm4Version,
      '/api/v4/comment/list': lm4List({ type_: 'all', sort: 'old', post_id: '7' }, [1, 2].map(lm4Comment)),
    },
    ask: threadOf({ id: 'lm_site.example_7' }),
    gives: { comments: [1, 2].map((id) => [`lm_site.example_${id}`, `text ${id}`, 0]), missing: 0 },
  },
  {
    source: 'lemmy',
    fact: 'version 4 lists the newest comments of an instance, with the post above each',
    answers: {
      ...lm4Version,
      '/api/v4/post/list': lm4List({}, []),
      '/api/v4/comment/list': lm4List({ type_: 'all', sort: 'new' }, [2, 1].map(lm4Comment)),
    },
    ask: async (platform) => {
      const stream = platform.streamAt!(SITE);
      const start = stream.positionAt(new Date(Date.parse(TIME) - 1_000));
      for await (const { texts } of stream.read(start, AbortSignal.timeout(20_000)))
        if (texts.length > 0) return texts.map(({ id, isComment, text }) => [id, isComment, text]);
      return [];
    },
    gives: [2, 1].map((id) => [`lm_site.example_${id}`, true, `text ${id}`]),
  },
  {
    source: 'lemmy',
    fact: 'PieFed has the names of its own in views, and poses as Lemmy 1.0',
    answers: { ...piefed, '/api/alpha/post/list': { posts: [pfPost(7)], next_page: null } },
    ask: async (platform, session) => {
      const { posts } = (await listing('c@home.example@site.example')(platform, session)) as ListingPage;
      return posts.map(
        ({ id, title, author, forum, selftext, score, upvoteRatio, numComments, permalink }) => [
          [id, title, author, forum, selftext],
          [score, upvoteRatio.toFixed(2), numComments, permalink],
        ],
      );
    },
    gives: [
      [
        ['lm_site.example_7', 'post 7', 'ann@home.example', 'lemmy:c@home.example', 'text'],
        [1, '0.67', 2, '/post/7'],
      ],
    ],
  },
  {
    source: 'lemmy',
    fact: 'PieFed lists an account by its number, and says which page is next',
    answers: {
      ...piefed,
      '/api/alpha/user': { person_view: { person: { id: 31 } } },
      '/api/alpha/post/list': (query: URLSearchParams) => {
        const page = Number(query.get('page') ?? 1);
        const posts = query.get('person_id') === '31' ? [pfPost(page)] : [];
        return { posts, next_page: page < 3 ? String(page + 1) : null };
      },
    },
    ask: lengthOf('ann@site.example', 'user'),
    gives: [3, false],
  },
  ...(
    [
      ['No row was found when one was required', 'target_not_found', 'the community "c"'],
      ['alpha api is not enabled', 'target_forbidden', 'switched off'],
      ['connection lost', 'bad_answer', 'status 400'],
    ] as const
  ).map(([message, failsAs, says]): Fact => ({
    source: 'lemmy',
    fact: `PieFed says "${message}" with status 400`,
    answers: {
      ...piefed,
      '/api/alpha/post/list': { posts: [], next_page: null },
      '/api/alpha/community': pfError(message),
    },
    ask: listing('c@site.example'),
    failsAs,
    says,
  })),
  ...['false', 'true'].map((isShown): Fact => ({
    source: 'lemmy',
    fact: `PieFed lists what is marked as not safe for work (${isShown})`,
    variables: { SOURCE_SHOW_NSFW: isShown },
    answers: {
      ...piefed,
      '/api/alpha/post/list': { posts: [pfPost(7), pfPost(8, { nsfw: true })], next_page: null },
    },
    ask: lengthOf('c@site.example', 'forum'),
    gives: [isShown === 'true' ? 2 : 1, false],
  })),
  {
    source: 'lemmy',
    fact: 'PieFed gives a thread in pages; flags say what is deleted',
    answers: {
      ...piefed,
      '/api/alpha/comment/list': [
        { comments: [pfComment(1), pfComment(2, { deleted: true, body: '' })], next_page: '2' },
        { comments: [pfComment(3, { path: '0.1.3' }), pfComment(4, { removed: true })], next_page: null },
      ],
    },
    ask: threadOf({ id: 'lm_site.example_7' }),
    gives: {
      comments: [
        ['lm_site.example_1', 'text 1', 0],
        ['lm_site.example_3', 'text 3', 1],
      ],
      missing: 0,
    },
  },
  {
    source: 'lemmy',
    fact: 'PieFed before its pages of comments ends with an empty one',
    answers: {
      ...piefed,
      '/api/alpha/comment/list': [
        { comments: [pfComment(1)] },
        { comments: [] },
        { comments: [pfComment(2)] },
      ],
    },
    ask: threadOf({ id: 'lm_site.example_7' }),
    gives: { comments: [['lm_site.example_1', 'text 1', 0]], missing: 0 },
  },
  {
    source: 'lemmy',
    fact: 'a post that PieFed no longer has is gone, an error says nothing of one',
    answers: {
      ...piefed,
      '/api/alpha/post': (query: URLSearchParams) =>
        pfError(query.get('id') === '7' ? 'No row was found when one was required' : 'timed out'),
    },
    ask: async (platform, session) =>
      (await platform.lookup!.findGonePosts(['lm_site.example_7', 'lm_site.example_8'], session)).length +
      (await platform.lookup!.findGonePosts(['lm_site.example_7'], session)).length,
    gives: 1,
  },
  {
    source: 'lemmy',
    fact: 'an entry of Mbin has its magazine in its address',
    answers: {
      ...mbin,
      ...mbMagazine,
      '/api/magazine/3/entries': mbPage([
        mbEntry(7, { magazine: { name: 'c@home.example' } }),
        mbEntry(8, { visibility: 'trashed', title: null }),
        mbEntry(9, { type: 'image', image: { storageUrl: 'https://i.example/a' } }),
      ]),
    },
    ask: async (platform, session) => {
      const { posts } = (await listing('c@site.example')(platform, session)) as ListingPage;
      return posts.map(({ id, author, forum, score, permalink, mediaUrls }) => [
        [id, author, forum, score, permalink],
        mediaUrls,
      ]);
    },
    gives: [
      [['lm_site.example_7', 'ann@home.example', 'lemmy:c@home.example', 2, '/m/c@home.example/t/7'], []],
      [
        ['lm_site.example_9', 'ann@home.example', 'lemmy:c@site.example', 2, '/m/c/t/9'],
        ['https://i.example/a'],
      ],
    ],
  },
  {
    source: 'lemmy',
    fact: 'a list of Mbin that became shorter meanwhile ends with a status 404',
    answers: {
      ...mbin,
      '/api/users/name/ann': { userId: 31 },
      '/api/users/31/entries': [mbPage([mbEntry(7)], 3), mbPage([mbEntry(8)], 3), answer(404, {})],
    },
    ask: lengthOf('ann@site.example', 'user'),
    gives: [2, false],
  },
  {
    source: 'lemmy',
    fact: 'Mbin cuts a thread at 25 levels, and has the rest at the comment there',
    answers: {
      ...mbin,
      '/api/entry/7/comments': mbPage([mbChain(1, 26)]),
      '/api/comments/26': mbComment(26, { childCount: 1, children: [mbComment(27, { parentId: 26 })] }),
    },
    ask: async (platform, session) => {
      const { comments } = await threadOf({ id: 'lm_site.example_7' })(platform, session);
      return [comments.length, comments.at(-1)];
    },
    gives: [27, ['lm_site.example_27', 'text 27', 26]],
  },
  {
    source: 'lemmy',
    fact: 'a soft-deleted comment of Mbin keeps its replies',
    answers: {
      ...mbin,
      '/api/entry/7/comments': mbPage([
        mbComment(1, { visibility: 'soft_deleted', body: null, childCount: 1, children: [mbComment(2)] }),
      ]),
    },
    ask: threadOf({ id: 'lm_site.example_7' }),
    gives: { comments: [['lm_site.example_2', 'text 2', 1]], missing: 0 },
  },
  ...['false', 'true'].map((isIgnored): Fact => ({
    source: 'lemmy',
    fact: `accounts of Mbin can ask not to be indexed, ignored: ${isIgnored}`,
    variables: { SOURCE_IGNORE_NOINDEX: isIgnored },
    answers: {
      ...mbin,
      '/api/entries': mbPage([mbEntry(7), mbEntry(8, { user: { username: 'shy', indexable: false } })]),
      '/api/entry/7/comments': mbPage([
        mbComment(1, {
          user: { username: 'shy', indexable: false },
          childCount: 1,
          children: [mbComment(2)],
        }),
      ]),
    },
    ask: async (platform, session) => {
      const { comments, missing } = await threadOf({ id: 'lm_site.example_7' })(platform, session);
      return [await lengthOf('all@site.example', 'forum')(platform, session), comments.length, missing];
    },
    gives: isIgnored === 'true' ? [[2, false], 2, 0] : [[1, false], 1, 0],
  })),
  ...(
    [
      [answer(401, { title: 'Unauthorized' }), 'target_private', 'only to its members'],
      [answer(302, '', { location: '/login' }), 'target_private', 'only to its members'],
      [answer(404, {}), 'target_not_found', 'the magazine "c"'],
      [{ magazineId: 3, isAdult: true }, 'target_forbidden', 'not safe for work'],
    ] as const
  ).map(([given, failsAs, says]): Fact => ({
    source: 'lemmy',
    fact: `a magazine of Mbin is refused: ${JSON.stringify(given)}`,
    answers: { ...mbin, '/api/magazine/name/c': given },
    ask: listing('c@site.example'),
    failsAs,
    says,
  })),
  ...(
    [
      ['PieFed', '/c/c@home.example/p/5/slug', 'c@home.example@site.example'],
      ['PieFed', '/post/7', 'c@home.example@site.example'],
      ['mbin', '/m/c/t/5/slug', 'c@site.example'],
      ['mbin', '/m/c@home.example', 'c@home.example@site.example'],
    ] as const
  ).map(([name, path, target]): Fact => ({
    source: 'lemmy',
    fact: `the address ${path} of ${name} names a target`,
    answers: { ...softwareIs(name), '/api/v3/site': undefined, '/api/alpha/post': { post_view: pfPost(7) } },
    ask: (platform, session) => platform.recognise!(new URL(`https://${SITE}${path}`), session),
    gives: { type: 'forum', name: target },
  })),
  {
    source: 'lemmy',
    fact: 'flags and one text say what is deleted, whatever else is sent',
    answers: {
      ...lmVersion,
      '/api/v3/comment/list': {
        comments: [
          lmComment(1),
          lmComment(2, { deleted: true }),
          lmComment(3, { removed: true }),
          lmComment(4, { content: '*Permanently Deleted*' }),
        ],
      },
    },
    ask: threadOf({ id: 'lm_site.example_7' }),
    gives: { comments: [['lm_site.example_1', 'text 1', 0]], missing: 0 },
  },
  {
    source: 'lemmy',
    fact: 'old versions list deleted posts; proxied pictures have another address',
    answers: {
      ...lmVersion,
      '/api/v3/post/list': {
        posts: [
          lmPost(7, { url: `https://${SITE}/api/v3/image_proxy?url=https%3A%2F%2Fi.example%2Fa.png` }),
          lmPost(8, { deleted: true }),
          lmPost(9, { name: '*Permanently Deleted*' }),
        ],
      },
    },
    ask: async (platform, session) => {
      const { posts } = (await listing('c@site.example')(platform, session)) as {
        posts: { id: string; url: string; postType: string }[];
      };
      return posts.map(({ id, url, postType }) => [id, url, postType]);
    },
    gives: [['lm_site.example_7', 'https://i.example/a.png', 'image']],
  },
  ...[
    [422, 'This method requires an authenticated user'],
    [401, 'This method requires an authenticated user'],
    [401, 'This API requires an authenticated user'],
  ].map(([status, error]): Fact => ({
    source: 'mastodon',
    fact: `a timeline for members is a status ${status}: ${error}`,
    answers: { '/api/v1/timelines/public': answer(Number(status), { error }) },
    ask: listing('local@site.example'),
    failsAs: 'target_private',
  })),
  ...[
    ['#x@site.example', 'remote', answer(401, { error: 'This method requires an authenticated user' })],
    ['#x@site.example', 'local', []],
    ['local@site.example', 'local', []],
  ].map(([name, origin, timeline]): Fact => ({
    source: 'mastodon',
    fact: `an instance says that ${name as string} is closed for visitors (${origin as string})`,
    answers: {
      '/api/v1/timelines/tag/x': [timeline],
      '/api/v1/timelines/public': [timeline],
      '/api/v2/instance': {
        configuration: {
          timelines_access: {
            live_feeds: { local: 'disabled', remote: 'public' },
            hashtag_feeds: { local: 'public', remote: 'public', [origin as string]: 'disabled' },
          },
        },
      },
    },
    ask: listing(name as string),
    failsAs: 'target_private',
    says: `${origin as string} disabled`,
  })),
  ...[{ hashtag_feeds: { local: 'public', remote: 'public' } }, undefined].map((timelines_access): Fact => ({
    source: 'mastodon',
    fact: `a tag without statuses is empty where ${timelines_access ? 'tags are open' : 'nothing is said'}`,
    answers: {
      '/api/v1/timelines/tag/x': [[]],
      '/api/v2/instance': { configuration: { timelines_access } },
    },
    ask: listing('#x@site.example'),
    gives: { posts: [], after: null },
  })),
  {
    source: 'mastodon',
    fact: 'a short page of a tag that links on is not the last',
    answers: {
      '/api/v1/timelines/tag/x': [
        answer(200, [mdStatus(9), mdStatus(8)], linkBefore(8)),
        answer(200, [mdStatus(7)], linkBefore(7)),
        [],
      ],
    },
    ask: lengthOf('#x@site.example', 'forum'),
    gives: [3, false],
  },
  {
    source: 'mastodon',
    fact: 'other software gives fewer statuses a page than a request allows',
    answers: {
      '/api/v1/timelines/tag/x': [
        Array.from({ length: 20 }, (_, index) => mdStatus(99 - index)),
        Array.from({ length: 20 }, (_, index) => mdStatus(79 - index)),
        Array.from({ length: 3 }, (_, index) => mdStatus(59 - index)),
      ],
    },
    ask: async (platform, session) => {
      const ids: string[] = [];
      let after: string | null = null;
      do {
        const listed = { target: { type: 'forum', name: '#x@site.example' }, name: 'timeline', wanted: 100 };
        const page = await platform.fetchListing(listed as never, after, session);
        ids.push(...idsOf(page.posts));
        after = page.after;
      } while (after !== null);
      return [ids.length, ids.at(-1)];
    },
    gives: [43, 'md_site.example_57'],
  },
  {
    source: 'mastodon',
    fact: 'other software and old versions know no list of statuses',
    answers: {
      '/api/v1/statuses': answer(400, { error: 'Missing field: ids.' }),
      '/api/v1/statuses/5': mdStatus(5),
      '/api/v1/statuses/6': recordNotFound,
      '/api/v1/instance': instance,
    },
    ask: async (platform, session) => {
      const ids = ['md_site.example_5', 'md_site.example_6'];
      return [
        idsOf(await platform.fetchPosts(ids, session)),
        idsOf(await platform.lookup!.findGonePosts(ids, session)),
      ];
    },
    gives: [['md_site.example_5'], ['md_site.example_6']],
  },
  {
    source: 'mastodon',
    fact: 'an account that moved and shows nothing names the new one',
    answers: {
      '/api/v1/accounts/lookup': { id: '1', moved: { acct: 'ann@new.example' } },
      '/api/v1/accounts/1/statuses': [[]],
    },
    ask: listing('ann@site.example', 'user'),
    failsAs: 'target_not_found',
    says: 'has moved to ann@new.example',
  },
  {
    source: 'mastodon',
    fact: 'an instance that shows nothing says nothing of single statuses',
    answers: { '/api/v1/statuses': [[]], '/api/v1/statuses/5': recordNotFound },
    ask: (platform, session) => platform.lookup!.findGonePosts(['md_site.example_5'], session),
    gives: [],
  },
  {
    source: 'mastodon',
    fact: 'a status that an open instance lacks is gone, also the only one',
    answers: {
      '/api/v1/statuses': [[]],
      '/api/v1/statuses/5': recordNotFound,
      '/api/v1/instance': instance,
    },
    ask: async (platform, session) =>
      (await platform.lookup!.findGonePosts(['md_site.example_5'], session)).map(({ id }) => id),
    gives: ['md_site.example_5'],
  },
  {
    source: 'bluesky',
    fact: 'a post behind a block is a node without a post',
    answers: {
      '/xrpc/app.bsky.feed.getPostThread': {
        thread: { $type: 'app.bsky.feed.defs#blockedPost', uri: POST_URI, blocked: true },
      },
    },
    ask: threadOf({ id: 'bs_did:plc:abc_3k', numComments: 4 }),
    gives: { comments: [], missing: 4 },
  },
  {
    source: 'bluesky',
    fact: 'a post that is gone is a status 400',
    answers: {
      '/xrpc/app.bsky.feed.getPostThread': answer(400, { error: 'NotFound', message: 'Post not found' }),
    },
    ask: threadOf({ id: 'bs_did:plc:abc_3k', numComments: 4 }),
    gives: { comments: [], missing: 4 },
  },
  ...[
    ['AccountTakedown', 'Account has been suspended', 'target_banned', 'suspended'],
    ['AccountDeactivated', 'Account is deactivated', 'target_not_found', 'deactivated'],
    ['InvalidRequest', 'Profile not found', 'target_not_found', 'Handles change'],
  ].map(([error, message, failsAs, says]): Fact => ({
    source: 'bluesky',
    fact: `an account is away: ${message}`,
    answers: {
      '/xrpc/app.bsky.feed.getAuthorFeed': answer(400, { error, message }),
      '/xrpc/app.bsky.actor.getProfile': answer(400, { error, message }),
    },
    ask: listing('ann.example', 'user'),
    failsAs: failsAs!,
    says: says!,
  })),
  {
    source: 'stackexchange',
    fact: 'a listing holds fewer comments than it counts, and the rest is read apart',
    answers: {
      ...seFilter,
      '/questions/1': {
        items: [
          seItem('question', 1, {
            title: 'Is &quot;x&quot; &lt; 1?',
            answer_count: 1,
            comment_count: 2,
            comments: [seItem('comment', 11, { post_id: 1 })],
            answers: [seItem('answer', 2, { comment_count: 3 })],
          }),
        ],
      },
      '/posts/1;2/comments': {
        items: [
          seItem('comment', 11, { post_id: 1 }),
          seItem('comment', 12, { post_id: 1, owner: undefined }),
          seItem('comment', 13, { post_id: 2, owner: { user_type: 'does_not_exist' } }),
          seItem('comment', 14, { post_id: 2 }),
        ],
      },
    },
    ask: threadOf({ id: 'se_unix_1' }),
    gives: {
      comments: [
        ['se_unix_c11', 'text 11', 0],
        ['se_unix_c12', 'text 12', 0],
        ['se_unix_2', 'text 2', 0],
        ['se_unix_c13', 'text 13', 1],
        ['se_unix_c14', 'text 14', 1],
      ],
      missing: 1,
    },
  },
  ...['/a/2', '/questions/1/is-x-1', '/q/1/9'].map((path): Fact => ({
    source: 'stackexchange',
    fact: `${path} belongs to the first tag of its question`,
    answers: {
      ...seFilter,
      '/questions/1': { items: [seItem('question', 1, { tags: ['c&#43;&#43;', 'git'] })] },
      '/answers/2': { items: [seItem('answer', 2, { question_id: 1 })] },
    },
    ask: (platform, session) =>
      platform.recognise!(new URL(`https://unix.stackexchange.com${path}`), session),
    gives: { type: 'forum', name: 'unix/c++' },
  })),
  {
    source: 'stackexchange',
    fact: 'a question that is gone has no tags',
    answers: { ...seFilter, '/questions/1': { items: [] } },
    ask: (platform, session) =>
      platform.recognise!(new URL('https://unix.stackexchange.com/questions/1'), session),
    failsAs: 'target_not_found',
  },
  {
    source: 'lemmy',
    fact: 'a comment belongs to the community of its post',
    answers: {
      ...lmVersion,
      '/api/v3/site': { version: '0.19.20', site_view: {} },
      '/api/v3/comment': { comment_view: { ...lmComment(9), community: lmPost(1).community } },
    },
    ask: (platform, session) => platform.recognise!(new URL(`https://${SITE}/comment/9`), session),
    gives: { type: 'forum', name: 'c@site.example' },
  },
  {
    source: 'discourse',
    fact: 'the address of a page that lists no topics says what to write',
    answers: { '/site/basic-info.json': { title: 'Forum' } },
    ask: (platform, session) => platform.recognise!(new URL(`https://${SITE}/tags/c/a/5/b`), session),
    failsAs: 'target_not_found',
    says: 'discourse:site.example/tag/TAG',
  },
  {
    source: 'discourse',
    fact: 'a site that moved is named',
    answers: {
      '/site/basic-info.json': answer(301, '', { location: 'https://new.example/site/basic-info.json' }),
    },
    ask: (platform, session) => platform.recognise!(new URL(`https://${SITE}/t/slug/5`), session),
    failsAs: 'target_not_found',
    says: 'redirects to new.example',
  },
  {
    source: 'stackexchange',
    fact: 'a wrong key is refused in words',
    variables: { STACKEXCHANGE_KEY: 'wrong' },
    answers: {
      '/filters/create': answer(400, {
        error_id: 400,
        error_name: 'bad_parameter',
        error_message: "`key` doesn't match a known application",
      }),
    },
    ask: listing('stackoverflow/git'),
    failsAs: 'credentials_refused',
  },
  ...[400, 502].map((status): Fact => ({
    source: 'stackexchange',
    fact: `a used-up quota is a status ${status}`,
    answers: {
      '/filters/create': answer(status, {
        error_id: 502,
        error_name: 'throttle_violation',
        error_message: 'too many requests from this IP, more requests available in 33635 seconds',
      }),
    },
    ask: listing('stackoverflow/git'),
    failsAs: 'rate_limited',
  })),
  {
    source: 'stackexchange',
    fact: 'a fault of the server is a status 400',
    answers: {
      '/filters/create': answer(400, { error_id: 500, error_name: 'internal_error', error_message: 'sorry' }),
    },
    ask: listing('stackoverflow/git'),
    failsAs: 'unavailable',
  },
];

/** A comment that can be read, beside one that cannot: by source, answers and the id of the thread's post. */
const UNREAD: [source: string, post: string, answers: Answers][] = [
  [
    'discourse',
    'dc_site.example_5',
    {
      '/t/5.json': dcTopic([dcPost(1), dcPost(2), dcPost(3, { created_at: null })], [101, 102, 103]),
      '/t/5/posts.json': { post_stream: { posts: [dcPost(3, { created_at: null })] } },
    },
  ],
  [
    'lemmy',
    'lm_site.example_5',
    {
      ...lmVersion,
      '/api/v3/comment/list': { comments: [lmComment(1), lmComment(2, { published: null })] },
    },
  ],
  [
    'mastodon',
    'md_site.example_5',
    {
      '/api/v1/statuses/5/context': { descendants: [mdStatus(6), { ...mdStatus(7), created_at: null }] },
    },
  ],
  [
    'bluesky',
    'bs_did:plc:abc_3k',
    {
      '/xrpc/app.bsky.feed.getPostThread': {
        thread: {
          post: bsPost('3k', { replyCount: 2 }),
          replies: ['3l', 'no uri'].map((key) => ({ $type: 'x#threadViewPost', post: bsPost(key) })),
        },
      },
    },
  ],
  [
    'stackexchange',
    'se_stackoverflow_5',
    {
      ...seFilter,
      '/questions/5': {
        items: [
          seItem('question', 5, {
            answer_count: 2,
            answers: [seItem('answer', 6), seItem('answer', 7, { creation_date: null })],
          }),
        ],
      },
    },
  ],
  [
    'hackernews',
    'hn_5',
    {
      '/items/5': {
        id: 5,
        author: 'ann',
        created_at_i: 1_767_323_045,
        children: [6, null].map((id) => ({ id, author: 'ann', text: 'a', children: [] })),
      },
    },
  ],
  ['github', 'gh_acme_widgets_7', { '/repos/acme/widgets/issues/7/comments': [[ghComment(70), { id: 71 }]] }],
  ['nodebb', 'nb_site.example_5', { '/api/topic/5': { ...nbTopic(5), posts: [nbPost(51), { pid: 52 }] } }],
  ['flarum', 'fl_site.example_5', { '/api/posts': { data: [flPost(51, 2), { id: '52' }] } }],
];

/** The variables of sources without sites. */
const VARIABLES: Record<string, string> = {
  bluesky: 'BLUESKY_APPVIEW_URL',
  github: 'GITHUB_API_URL',
  hackernews: 'HACKERNEWS_API_URL',
  stackexchange: 'STACKEXCHANGE_API_URL',
};

const UNREAD_FACTS = UNREAD.map(([source, id, answers]): Fact => ({
  source,
  fact: 'a comment without an id or time counts as missing',
  answers,
  ask: async (...[platform, session]) => {
    const { comments, missing } = await threadOf({ id, numComments: 2 })(platform, session);
    return [comments.length, missing];
  },
  gives: [1, 1],
}));

const bsLabel = (more: object) => [{ val: '!no-unauthenticated', ...more }];
/** What accounts say of being indexed, and whether their posts are left out; a source with such a wish is added here. */
const WISHES: [source: string, account: object, isLeftOut: boolean][] = [
  ['bluesky', {}, false],
  ['bluesky', { labels: null }, false],
  ['bluesky', { labels: [] }, false],
  ['bluesky', { labels: bsLabel({ neg: true }) }, false],
  ['bluesky', { labels: bsLabel({ neg: false }) }, true],
  ['bluesky', { labels: bsLabel({}) }, true],
  ['mastodon', {}, false],
  ['mastodon', { indexable: null, noindex: null }, false],
  ['mastodon', { indexable: true, noindex: false }, false],
  ['mastodon', { indexable: false }, true],
  ['mastodon', { noindex: true }, true],
];
const IDS: Record<string, string> = { bluesky: 'bs_did:plc:abc_3k', mastodon: 'md_site.example_5' };

/** For both settings of the operator. */
const WISH_FACTS = ['false', 'true'].flatMap((ignored) =>
  WISHES.map(([source, account, isLeftOut]): Fact => ({
    source,
    fact: `posts looked up of ${JSON.stringify(account)} with noindex ignored: ${ignored}`,
    variables: { SOURCE_IGNORE_NOINDEX: ignored },
    answers: {
      '/xrpc/app.bsky.feed.getPosts': {
        posts: [bsPost('3k', { author: { handle: 'ann.example', ...account } })],
      },
      '/api/v1/statuses': [[{ ...mdStatus(5), account: { acct: 'ann', ...account } }]],
    },
    ask: async (platform, session) => idsOf(await platform.fetchPosts([IDS[source]!], session)),
    gives: isLeftOut && ignored === 'false' ? [] : [IDS[source]],
  })),
);

describe.each([...FACTS, ...UNREAD_FACTS, ...WISH_FACTS])(
  '$source: $fact',
  ({ source, answers, variables, ask, gives, failsAs, says = '' }) => {
    it('is understood', async () => {
      const seen = new Map<string, number>();
      const server = await RecordedServer.start({
        sites: [SITE],
        answer: (_site, address) => {
          const path = address.split('?', 1)[0]!;
          const given = answers[path];
          const count = seen.get(path) ?? 0;
          seen.set(path, count + 1);
          const one: unknown = Array.isArray(given)
            ? given[Math.min(count, given.length - 1)]
            : typeof given === 'function'
              ? (given as (query: URLSearchParams) => unknown)(new URLSearchParams(address.split('?')[1]))
              : given;
          return Promise.resolve(
            one === undefined
              ? answer(404, { error: 'no_such_path' })
              : isAnswer(one)
                ? one
                : answer(200, one),
          );
        },
        targets: [],
        deletions: null,
        variables: (addressOf) => ({
          ...variables,
          ...(VARIABLES[source] !== undefined
            ? { [VARIABLES[source]]: addressOf(SITE) }
            : { SOURCE_SITES: `${SITE}=${addressOf(SITE)}` }),
        }),
      });
      const checked = new CheckedPlatform(SOURCES.find(source)!, server.variables);
      try {
        const result = ask(checked.platform, checked.session(true), checked.session(), checked);
        if (failsAs === undefined) expect(await result).toEqual(gives);
        else
          await expect(result).rejects.toMatchObject({
            code: failsAs,
            message: expect.stringContaining(says) as unknown,
          });
      } finally {
        await checked.close();
        await server.close();
      }
    });
  },
);
