import { answerText } from '../support/answer-text.js';
import { CheckedPlatform } from '../../src/cli/source-check/source-walk.js';
import { targetOf } from '../../src/cli/source-check/check-world.js';
import type { RecordedSource, RecordedTarget } from '../../src/cli/source-check/recorded-source.js';
import { SOURCES } from '../../src/platforms/registry.js';
import { expectedComments, expectedPosts } from '../../src/sandbox/expected-data.js';
import { startSandbox } from '../../src/sandbox/server/sandbox.js';
import { expectedTargets, HackerNewsReplay, RECORDINGS as HACKERNEWS } from './hackernews-replay.js';
import { RecordedSites, recordedSources, recordingsOf } from './site-replay.js';
import { expectedThreads, recordedQuestions, SAMPLES, StackExchangeReplay } from './stackexchange-replay.js';

/** The answers of a built-in source, and how to end the servers that give them. */
export interface StartedSource {
  /** Without its deletions. */
  recorded: RecordedSource;
  /** Finds by a walk of a target which content can be deleted; null when the source does not tell. */
  findDeletions: () => Promise<RecordedSource['deletions']>;
  stop(): Promise<void>;
}

/** Larger targets take long one request after another; recorded-sites.spec.ts reads them with many at a time. */
const MAX_REQUESTS = 25;

/** The answers of a built-in source: how to start them, and the recordings that they need. */
interface ConformanceSource {
  recordings: string[];
  start: () => Promise<StartedSource>;
}

/** The answers of each built-in source. A new source is added here. */
export const CONFORMANCE_SOURCES: Readonly<Record<string, ConformanceSource>> = {
  ...Object.fromEntries(
    recordedSources.map((source) => [
      source,
      { recordings: [recordingsOf(source)], start: () => startSites(source) },
    ]),
  ),
  hackernews: { recordings: [HACKERNEWS], start: startHackerNews },
  stackexchange: { recordings: [SAMPLES], start: startStackExchange },
  reddit: { recordings: [], start: startReddit },
  feed: { recordings: [], start: () => startWithoutDeletions('feed', ['rss.xml', 'feed.json']) },
  mail: {
    recordings: [],
    start: () =>
      startWithoutDeletions('mail', [
        'inbox/',
        'pipermail/talk/',
        'archives/list/talk@mail.example/',
        'closed/',
      ]),
  },
  ...Object.fromEntries(
    ['github', 'nodebb', 'flarum'].map((source) => [
      source,
      { recordings: [], start: () => startSynthetic(source) },
    ]),
  ),
};

/** Passes requests on to a server. */
function answerFrom(addressOf: (site: string) => string): RecordedSource['answer'] {
  return async (site, address, { method, authorization, body }) => {
    const answer = await fetch(`${addressOf(site)}${address}`, {
      method,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(body !== '' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== '' && { body }),
    });
    const link = answer.headers.get('link');
    return {
      status: answer.status,
      body: await answerText(answer),
      headers: { ...(link !== null && { link }) },
    };
  };
}

/** The first post and comment of a target that differ, found by a walk, to be deleted by `remove`. */
async function deletionsOf(
  source: string,
  variables: Record<string, string>,
  target: RecordedTarget,
  remove: (post: string, comment: string) => Promise<unknown>,
): Promise<RecordedSource['deletions']> {
  const definition = SOURCES.find(source)!;
  const platform = new CheckedPlatform(definition, variables);
  const { posts, comments } = await platform
    .walk(targetOf(definition, target))
    .finally(() => platform.close());
  // What the platform shows as deleted cannot be deleted once more.
  const comment = comments.find(({ author }) => author !== '[deleted]')!;
  const post = posts.find(
    ({ id, author }) => id !== comment.postId && id !== comment.id && author !== '[deleted]',
  )!;
  return {
    // A reply in a timeline is a post too.
    posts: posts.map(({ id }) => id).filter((id) => id === post.id || id === comment.id),
    comments: [{ id: comment.id, postId: comment.postId }],
    delete: async () => void (await remove(post.id, comment.id)),
  };
}

async function startSites(source: string): Promise<StartedSource> {
  const sites = await RecordedSites.start(source);
  const targets = sites.expected.filter(({ requests, missing }) => requests <= MAX_REQUESTS && missing === 0);
  const withComments = targets.find(({ posts, comments }) => comments.length >= 3 && posts.length >= 3)!;
  const { variable } = sites;
  return {
    recorded: {
      sites: [...sites.addresses.keys()],
      answer: answerFrom((site) => sites.addresses.get(site)!),
      targets,
      deletions: null,
      ...(variable !== undefined && {
        variables: (addressOf) => ({ [variable]: addressOf([...sites.addresses.keys()][0]!) }),
      }),
    },
    findDeletions: () =>
      deletionsOf(source, sites.variables, withComments, async (post, comment) => {
        await sites.delete('post', post);
        await sites.delete('comment', comment);
      }),
    stop: () => sites.stop(),
  };
}

async function startHackerNews(): Promise<StartedSource> {
  const replay = await HackerNewsReplay.start();
  const targets = expectedTargets().map(
    ({ target, target_type: targetType, posts, comment_ids: comments }) => ({
      target,
      targetType,
      posts: posts.map((id) => (String(id).startsWith('hn_') ? String(id) : `hn_${id}`)),
      comments: comments.map((id) => (String(id).startsWith('hn_') ? String(id) : `hn_${id}`)),
    }),
  );
  const variables = { HACKERNEWS_API_URL: replay.apiUrl };
  const ask = targets.find(({ target }) => target === 'hn:ask')!;
  const origin = new URL(replay.apiUrl).origin;
  return {
    recorded: {
      sites: ['hackernews.example'],
      answer: answerFrom(() => replay.apiUrl),
      targets,
      variables: (addressOf) => ({ HACKERNEWS_API_URL: addressOf('hackernews.example') }),
      deletions: null,
    },
    findDeletions: () =>
      deletionsOf('hackernews', variables, ask, async (...ids) => {
        for (const id of ids) await fetch(`${origin}/__delete?id=${id.slice(3)}`, { method: 'POST' });
      }),
    stop: () => replay.stop(),
  };
}

async function startStackExchange(): Promise<StartedSource> {
  const questions = recordedQuestions();
  const replay = await StackExchangeReplay.start({ questions, quota: 1_000_000 });
  const targets = ['javascript', 'git'].map((tag) => ({
    target: `stackexchange:stackoverflow/${tag}`,
    targetType: 'forum' as const,
    ...expectedThreads(tag),
  }));
  const asked = questions.filter(({ tags }) => tags.includes('javascript'));
  const answered = asked.find(({ answers, comments }) => answers.length === 0 && comments.length > 0)!;
  const other = asked.find((question) => question !== answered)!;
  return {
    recorded: {
      sites: ['stackexchange.example'],
      answer: answerFrom(() => replay.url),
      targets,
      variables: (addressOf) => ({ STACKEXCHANGE_API_URL: addressOf('stackexchange.example') }),
      deletions: null,
    },
    findDeletions: () =>
      Promise.resolve({
        posts: [`se_stackoverflow_${other.question_id}`],
        comments: [
          {
            id: `se_stackoverflow_c${answered.question_id}`,
            postId: `se_stackoverflow_${answered.question_id}`,
          },
        ],
        delete: () => {
          answered.comments.splice(0, 1);
          questions.splice(questions.indexOf(other), 1);
          return Promise.resolve();
        },
      }),
    stop: () => replay.stop(),
  };
}

/** The synthetic platform, which speaks the protocol. */
async function startReddit(): Promise<StartedSource> {
  const options = { forums: { small: { posts: 150, commentsPerPost: 3 } } };
  const sandbox = await startSandbox(options);
  const posts = expectedPosts(options, 'small', 1_000);
  const target: RecordedTarget = {
    target: 'small',
    targetType: 'forum',
    posts,
    comments: posts.flatMap((post) => expectedComments(options, post)),
  };
  const variablesAt = (url: string): Record<string, string> => ({
    PLATFORM_BASE_URL: url,
    PLATFORM_AUTH_URL: url,
  });
  return {
    recorded: {
      sites: ['reddit.example'],
      answer: answerFrom(() => sandbox.baseUrl),
      targets: [target],
      variables: (addressOf) => variablesAt(addressOf('reddit.example')),
      deletions: null,
    },
    findDeletions: () =>
      deletionsOf('reddit', variablesAt(sandbox.baseUrl), target, (...ids) =>
        fetch(`${sandbox.baseUrl}/__control/delete`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ids }),
        }),
      ),
    stop: () => sandbox.close(),
  };
}

/** The synthetic site of a source that names targets by their addresses and does not tell what is deleted. */
async function startWithoutDeletions(name: string, paths: readonly string[]): Promise<StartedSource> {
  const options = { forums: { technology: { posts: 70, commentsPerPost: 3 } } };
  const sandbox = await startSandbox(options);
  const address = `${sandbox.baseUrl}/${name}`;
  const source = new CheckedPlatform(SOURCES.find(name)!, { SOURCE_SITES: `site.example=${address}` });
  const targets = await Promise.all(
    paths.map(async (path): Promise<RecordedTarget> => {
      const target = `https://site.example/${path}`;
      const { posts, comments } = await source.walk({ type: 'forum', name: target });
      return {
        target: `${name}:${target}`,
        targetType: 'forum',
        posts: posts.map(({ id }) => id),
        comments: comments.map(({ id }) => id),
      };
    }),
  ).finally(() => source.close());
  return {
    recorded: { sites: ['site.example'], answer: answerFrom(() => address), targets, deletions: null },
    findDeletions: () => Promise.resolve(null),
    stop: () => sandbox.close(),
  };
}

/** A source of the synthetic platform from which single records can be deleted, as its answers show it. */
interface SyntheticSource {
  target: string;
  variablesAt: (url: string) => Record<string, string>;
  /** The paths of a post and of a comment, with their numbers, and the status of one that is gone. */
  post: RegExp;
  comment: RegExp | null;
  status: number;
  ids: { post: string; comment: string };
  /** The number of a comment in a list; undefined for another item. */
  keyOf: (item: Record<string, unknown>) => unknown;
}

const onSite = (url: string) => ({ SOURCE_SITES: `forum.example=${url}` });
const SYNTHETIC: Readonly<Record<string, SyntheticSource>> = {
  github: {
    target: 'github:acme/widgets',
    variablesAt: (url) => ({ GITHUB_API_URL: url, GITHUB_TOKEN: 'token' }),
    post: /\/issues\/(\d+)$/,
    comment: null,
    status: 410,
    ids: { post: 'gh_acme_widgets_', comment: 'gh_' },
    keyOf: ({ id, title }) => (title === undefined ? id : undefined),
  },
  nodebb: {
    target: 'nodebb:forum.example/category/1',
    variablesAt: onSite,
    post: /\/topic\/(\d+)$/,
    comment: /\/posts\/(\d+)$/,
    status: 404,
    ids: { post: 'nb_forum.example_', comment: 'nb_forum.example_' },
    keyOf: ({ pid }) => pid,
  },
  flarum: {
    target: 'flarum:forum.example/t/general',
    variablesAt: onSite,
    post: /\/discussions\/(\d+)$/,
    comment: /\/posts\/(\d+)$/,
    status: 404,
    ids: { post: 'fl_forum.example_', comment: 'fl_forum.example_' },
    keyOf: ({ type, id }) => (type === 'posts' ? id : undefined),
  },
};

async function startSynthetic(name: string): Promise<StartedSource> {
  const { target: named, variablesAt, post, comment, status, ids, keyOf } = SYNTHETIC[name]!;
  const sandbox = await startSandbox({
    forums: {
      programming: { posts: 104, commentsPerPost: 2 },
      askanything: { posts: 52, commentsPerPost: 3 },
    },
  });
  const address = `${sandbox.baseUrl}/${name}`;
  const definition = SOURCES.find(name)!;
  const source = new CheckedPlatform(definition, variablesAt(address));
  const target = { target: named, targetType: 'forum' as const, posts: [], comments: [] };
  const { posts, comments } = await source.walk(targetOf(definition, target)).finally(() => source.close());
  const gone = { posts: new Set<string>(), comments: new Set<string>() };
  const shown = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value))
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shown(one)]));
    const isShown = (one: unknown): boolean =>
      !gone.comments.has(`${ids.comment}${String(keyOf((one ?? {}) as Record<string, unknown>))}`);
    return value.filter(isShown).map(shown);
  };
  const passOn = answerFrom(() => address);
  return {
    recorded: {
      sites: ['forum.example'],
      answer: async (site, path, request) => {
        const [bare = ''] = path.split('?', 1);
        const isGone =
          gone.posts.has(`${ids.post}${post.exec(bare)?.[1]}`) ||
          gone.comments.has(`${ids.comment}${comment?.exec(bare)?.[1]}`);
        if (isGone) return { status, body: '{}' };
        const answer = await passOn(site, path, request);
        return gone.comments.size === 0
          ? answer
          : { ...answer, body: JSON.stringify(shown(JSON.parse(String(answer.body)))) };
      },
      targets: [{ ...target, posts: posts.map(({ id }) => id), comments: comments.map(({ id }) => id) }],
      variables: (addressOf) => variablesAt(addressOf('forum.example')),
      deletions: null,
    },
    findDeletions: () =>
      deletionsOf(name, variablesAt(address), target, (onePost, oneComment) => {
        gone.posts.add(onePost);
        gone.comments.add(oneComment);
        return Promise.resolve();
      }),
    stop: () => sandbox.close(),
  };
}
