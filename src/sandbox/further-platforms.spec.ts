import { createHash } from 'node:crypto';
import { answerText } from '../../test/support/answer-text.js';
import { remembering } from '../../test/support/remembering.js';
import { checkConformance } from '../cli/source-check/conformance.js';
import type { RecordedTarget } from '../cli/source-check/recorded-source.js';
import { SOURCES } from '../platforms/registry.js';
import { Conversations } from './data/conversation.js';
import { targetOf } from '../cli/source-check/check-world.js';
import { CheckedPlatform } from '../cli/source-check/source-walk.js';
import { DataSet } from './data/data-set.js';
import { commentGuid, entryGuid } from './feed/feed-routes.js';
import { openingId, replyId } from './mail/synthetic-mail.js';
import { startSandbox } from './server/sandbox.js';

const OPTIONS = {
  forums: {
    programming: { posts: 34, commentsPerPost: 25 },
    askanything: { posts: 104, commentsPerPost: 3 },
    technology: { posts: 70, commentsPerPost: 3 },
  },
};

/** The whole content of a forum, as ids. */
function contentOf(
  forum: string,
  idsOf: (
    index: number,
    replies: readonly { author: string; parent: number }[],
  ) => { post: string; comments: string[] },
): Pick<RecordedTarget, 'posts' | 'comments'> {
  const conversations = new Conversations(new DataSet(OPTIONS), forum);
  const all = conversations.page(null, 10_000).map(({ index }) => idsOf(index, conversations.replies(index)));
  return { posts: all.map(({ post }) => post), comments: all.flatMap(({ comments }) => comments) };
}

const didOf = (name: string): string => `did:plc:${name.toLowerCase().replace(/[^a-z0-9]/g, '')}`;

const feedId = (guid: string): string =>
  `fd_forum.example_${createHash('sha256').update(guid).digest('hex').slice(0, 32)}`;

const mailId = (id: string): string =>
  `ml_forum.example_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;

/** An archive of the synthetic mailing list. */
const archive = (path: string, fewest: (posts: number) => number) => ({
  name: `mail, ${path}`,
  path: 'mail',
  source: 'mail',
  fewest,
  target: {
    target: `mail:https://forum.example/${path}/`,
    targetType: 'forum' as const,
    ...contentOf('technology', (index, replies) => ({
      post: mailId(openingId(index)),
      comments: replies.map((_, at) => mailId(replyId(index, at))),
    })),
  },
  variables: (url: string) => ({ SOURCE_SITES: `forum.example=${url}` }),
});

/** The same checks run with recorded content of these (test/recordings/conformance.spec.ts). */
const RECORDED = new Set(['discourse', 'lemmy', 'mastodon', 'stackexchange/2.3', 'bluesky']);

describe.each([
  archive('inbox', () => 2),
  // The front page, the file that is not there, 25 messages at a time of which one is known, the end, and the threads.
  archive('closed', (posts) => 3 + Math.ceil((4 * posts) / 24) + posts),
  archive('pipermail/talk', () => 3),
  archive('archives/list/talk@mail.example', () => 3),
  {
    name: 'feed',
    path: 'feed',
    source: 'feed',
    fewest: (posts: number) => Math.ceil(posts / 30) + posts,
    target: {
      target: 'feed:https://forum.example/rss.xml',
      targetType: 'forum' as const,
      ...contentOf('technology', (index, replies) => ({
        post: feedId(entryGuid(index)),
        comments: replies.map((_, at) => feedId(commentGuid(index, at))),
      })),
    },
    variables: (url: string) => ({ SOURCE_SITES: `forum.example=${url}` }),
  },
  {
    name: 'discourse',
    path: 'discourse',
    source: 'discourse',
    fewest: (posts: number) => Math.ceil(posts / 30) + 2 * posts,
    target: {
      target: 'discourse:forum.example',
      targetType: 'forum' as const,
      ...contentOf('programming', (index, replies) => ({
        post: `dc_forum.example_${index + 1}`,
        comments: replies.map((_, at) => `dc_forum.example_${(index + 1) * 5_000 + at + 1}`),
      })),
    },
    variables: (url: string) => ({ SOURCE_SITES: `forum.example=${url}` }),
  },
  {
    name: 'nodebb',
    path: 'nodebb',
    source: 'nodebb',
    fewest: (posts: number) => Math.ceil(posts / 20) + 2 * posts,
    target: {
      target: 'nodebb:forum.example',
      targetType: 'forum' as const,
      ...contentOf('programming', (index, replies) => ({
        post: `nb_forum.example_${index + 1}`,
        comments: replies.map((_, at) => `nb_forum.example_${(index + 1) * 5_000 + at + 1}`),
      })),
    },
    variables: (url: string) => ({ SOURCE_SITES: `forum.example=${url}` }),
  },
  {
    name: 'flarum',
    path: 'flarum',
    source: 'flarum',
    fewest: (posts: number) => Math.ceil(posts / 50) + posts,
    target: {
      target: 'flarum:forum.example',
      targetType: 'forum' as const,
      ...contentOf('programming', (index, replies) => ({
        post: `fl_forum.example_${index + 1}`,
        comments: replies.map((_, at) => `fl_forum.example_${(index + 1) * 5_000 + at + 1}`),
      })),
    },
    variables: (url: string) => ({ SOURCE_SITES: `forum.example=${url}` }),
  },
  ...(
    [
      // The version, and both lists with an empty page at their ends.
      [
        'lemmy',
        'general',
        (posts: number, comments: number) => 3 + Math.ceil(posts / 50) + Math.ceil(comments / 50),
      ],
      ['piefed', 'general', (posts: number) => Math.ceil(posts / 50) + posts],
      [
        'piefed',
        'all',
        (posts: number, comments: number) => Math.ceil(posts / 50) + Math.ceil(comments / 50),
      ],
      ['mbin', 'general', (posts: number) => 1 + Math.ceil(posts / 100) + posts],
    ] as const
  ).map(([path, name, fewest]) => ({
    name: `${path} (${name})`,
    path,
    source: 'lemmy',
    fewest,
    target: {
      target: `lemmy:${name}@forum.example`,
      targetType: 'forum' as const,
      ...contentOf('programming', (index, replies) => ({
        post: `lm_forum.example_${(index + 1) * 5_000}`,
        comments: replies.map((_, at) => `lm_forum.example_${(index + 1) * 5_000 + at + 1}`),
      })),
    },
    variables: (url: string) => ({ SOURCE_SITES: `forum.example=${url}` }),
  })),
  {
    name: 'mastodon',
    path: 'mastodon',
    source: 'mastodon',
    fewest: (posts: number) => Math.ceil(posts / 40) + posts,
    target: {
      target: 'mastodon:local@forum.example',
      targetType: 'forum' as const,
      ...contentOf('askanything', (index, replies) => ({
        post: `md_forum.example_${(index + 1) * 5_000}`,
        comments: replies.map((_, at) => `md_forum.example_${(index + 1) * 5_000 + at + 1}`),
      })),
    },
    variables: (url: string) => ({ SOURCE_SITES: `forum.example=${url}` }),
  },
  {
    name: 'stackexchange',
    path: 'stackexchange/2.3',
    source: 'stackexchange',
    fewest: (posts: number) => 1 + Math.ceil(posts / 100),
    target: {
      target: 'stackexchange:stackoverflow/rust',
      targetType: 'forum' as const,
      ...contentOf('programming', (index, replies) => ({
        post: `se_stackoverflow_${(index + 1) * 5_000}`,
        comments: replies.map(
          ({ parent }, at) => `se_stackoverflow_${parent < 0 ? '' : 'c'}${(index + 1) * 5_000 + at + 1}`,
        ),
      })),
    },
    variables: (url: string) => ({ STACKEXCHANGE_API_URL: url }),
  },
  {
    name: 'github',
    path: 'github',
    source: 'github',
    fewest: (posts: number) => 1 + Math.ceil((posts * 25) / 100),
    target: {
      target: 'github:acme/widgets',
      targetType: 'forum' as const,
      ...contentOf('programming', (index, replies) => ({
        post: `gh_acme_widgets_${index + 1}`,
        comments: replies.map((_, at) => `gh_${(index + 1) * 5_000 + at}`),
      })),
    },
    variables: (url: string) => ({ GITHUB_API_URL: url }),
  },
  {
    name: 'bluesky',
    path: 'bluesky',
    source: 'bluesky',
    fewest: (posts: number) => Math.ceil(posts / 100) + posts,
    target: {
      target: 'bsky:bsky.app',
      targetType: 'user' as const,
      ...contentOf('askanything', (index, replies) => ({
        post: `bs_did:plc:synthetic_p${index}`,
        comments: replies.map(({ author }, at) => `bs_${didOf(author)}_p${index}r${at}`),
      })),
    },
    variables: (url: string) => ({ BLUESKY_APPVIEW_URL: url }),
  },
])('the synthetic $name', ({ source, path, target, variables, fewest }) => {
  it.each([0, 0.3])('gives all of its content when a share of %d of the requests fails', async (rate) => {
    const sandbox = await startSandbox({
      ...OPTIONS,
      faults: { rate, kinds: ['500', 'truncate', 'reset'] },
    });
    const definition = SOURCES.find(source)!;
    const checked = new CheckedPlatform(definition, variables(`${sandbox.baseUrl}/${path}`));
    try {
      const { posts, comments, reported } = await checked.walk(targetOf(definition, target));
      const ids = [...posts, ...comments].map(({ id }) => id);
      expect(ids.sort()).toEqual([...target.posts, ...target.comments].sort());
      const least = fewest(target.posts.length, target.comments.length);
      if (rate === 0) expect(reported).toBeLessThanOrEqual(1.02 * least);
      // Of a few requests none may fail.
      else if (least > 10) expect(reported).toBeGreaterThan(least);
    } finally {
      await checked.close();
      await sandbox.close();
    }
  });

  if (RECORDED.has(path)) return;
  it('gives all of its content to the service, as the platform does', async () => {
    const sandbox = await startSandbox(OPTIONS);
    try {
      const recorded = remembering({
        sites: ['forum.example'],
        answer: async (_site, address) => {
          const answer = await fetch(`${sandbox.baseUrl}/${path}${address}`);
          return { status: answer.status, body: await answerText(answer) };
        },
        targets: [target],
        deletions: null,
        variables: (addressOf) => variables(addressOf('forum.example')),
      });
      const results = await checkConformance(SOURCES.find(source)!, recorded);
      const problems = results.filter(({ status }) => status === 'problem');
      expect(problems).toEqual([]);
    } finally {
      await sandbox.close();
    }
  });
});
