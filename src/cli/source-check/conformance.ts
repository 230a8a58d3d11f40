import type { Target } from '../../platforms/platform.js';
import type { PlatformDefinition } from '../../platforms/platform-definition.js';
import { type Check, smallest, targetOf, type World } from './check-world.js';
import { problemsOfComments, problemsOfPosts } from './content-problems.js';
import { checkPaging, checkShortPages } from './listing-checks.js';
import { RecordedServer } from './recorded-server.js';
import type { RecordedSource, RecordedTarget } from './recorded-source.js';
import { CheckedPlatform, type Walked } from './source-walk.js';

/** The result of one check. A skipped check has a reason. */
export interface CheckResult {
  check: string;
  status: 'ok' | 'problem' | 'skipped';
  /** Sentences: the problems, or why it was skipped. */
  messages: string[];
}

/** The checks in their order: the last one changes the server's answers. */
const CHECKS: Readonly<Record<string, Check>> = {
  targets: checkTargets,
  paging: checkPaging,
  short_pages: checkShortPages,
  faults: checkFaults,
  one_fault: checkOneFault,
  ids: checkIds,
  budgets: checkBudgets,
  deletions: checkDeletions,
};

/** Runs all checks of a source against its recorded answers, each with a new platform. */
export async function checkConformance(
  definition: PlatformDefinition,
  recorded: RecordedSource,
): Promise<CheckResult[]> {
  const server = await RecordedServer.start(recorded);
  const results: CheckResult[] = [];
  try {
    for (const [check, run] of Object.entries(CHECKS)) {
      server.reset();
      const source = new CheckedPlatform(definition, server.variables);
      try {
        const found = await run({ definition, recorded, server, source });
        const messages = 'skipped' in found ? [found.skipped] : found;
        const status = 'skipped' in found ? 'skipped' : messages.length > 0 ? 'problem' : 'ok';
        results.push({ check, status, messages });
      } catch (error) {
        results.push({ check, status: 'problem', messages: [`it throws ${String(error)}`] });
      } finally {
        await source.close();
      }
    }
  } finally {
    await server.close();
  }
  return results;
}

/** Every recorded target gives exactly its posts and comments, in plain values. */
async function checkTargets({ definition, recorded, source }: World): Promise<string[]> {
  const problems: string[] = [];
  for (const expected of recorded.targets) {
    const walked = await source.walk(targetOf(definition, expected));
    problems.push(
      ...differences(expected, walked),
      ...problemsOfPosts(definition, walked.posts),
      ...problemsOfComments(definition, walked.posts, walked.comments),
    );
  }
  return problems;
}

/** The content is the same when requests fail once. */
async function checkFaults({ definition, recorded, server, source }: World): Promise<string[]> {
  server.failsFirst = true;
  const expected = smallest(recorded.targets);
  return differences(expected, await source.walk(targetOf(definition, expected)));
}

/** A thread that always fails leaves the others as they are. */
async function checkOneFault({
  definition,
  recorded,
  server,
  source,
}: World): Promise<string[] | { skipped: string }> {
  const expected = smallest(
    recorded.targets.filter(({ comments, posts }) => comments.length > 0 && posts.length > 1),
  );
  if (expected === undefined) return { skipped: 'no recorded target has comments and several posts' };
  const target = targetOf(definition, expected);
  const { posts } = await source.walk(target);
  const post = posts.find(({ numComments }) => numComments > 0);
  if (post === undefined) return ['no post has comments, although comments are recorded'];
  const before = new Set(
    await addressesOf(server, () =>
      source.platform.fetchListing(
        { target, name: source.platform.listings[0], wanted: 1_000 },
        null,
        source.session(),
      ),
    ),
  );
  const ofThread = await addressesOf(server, async () => {
    for await (const slice of source.platform.walkComments(post, source.session())) void slice;
  });
  const broken = ofThread.filter((address) => !before.has(address));
  if (broken.length === 0) return { skipped: 'the listing holds the threads' };
  server.broken = new Set(broken);
  const walked = await source.walk(target, source.session(true));
  const others = { ...expected, posts: expected.posts.filter((id) => id !== post.id) };
  const own = new Set((await ownComments(definition, server, target, post.id)).map(({ id }) => id));
  return differences(
    { ...others, comments: expected.comments.filter((id) => !own.has(id)) },
    {
      ...walked,
      posts: walked.posts.filter(({ id }) => id !== post.id),
      comments: walked.comments.filter(({ id }) => !own.has(id)),
    },
  );
}

async function ownComments(
  definition: PlatformDefinition,
  server: RecordedServer,
  target: Target,
  postId: string,
) {
  server.broken = new Set();
  const other = new CheckedPlatform(definition, server.variables);
  const { comments } = await other.walk(target).finally(() => other.close());
  return comments.filter((comment) => comment.postId === postId);
}

async function addressesOf(server: RecordedServer, work: () => Promise<unknown>): Promise<string[]> {
  server.requested = [];
  await work();
  return [...server.requested];
}

/** Posts are found by their ids, with the same values. */
async function checkIds({ definition, recorded, source }: World): Promise<string[]> {
  const expected = smallest(recorded.targets.filter(({ posts }) => posts.length > 0));
  if (expected === undefined) return ['no recorded target has posts'];
  const { posts } = await source.walk(targetOf(definition, expected));
  const some = posts.slice(0, MAX_IDS);
  const found = await source.platform.fetchPosts(
    some.map(({ id }) => id),
    source.session(),
  );
  const byId = new Map(found.map((post) => [post.id, post]));
  return some.flatMap(({ id, title, author, forum }) => {
    const post = byId.get(id);
    if (post === undefined) return [`fetchPosts does not find ${id}`];
    const isSame = post.title === title && post.author === author && post.forum === forum;
    return isSame ? [] : [`fetchPosts gives ${id} another title, author or forum than the listing`];
  });
}

const MAX_IDS = 10;

/** Every request is granted by the budget and counted by the session; documents that jobs share count for none. */
async function checkBudgets({ definition, recorded, server, source }: World): Promise<string[]> {
  const expected = smallest(recorded.targets);
  const { reported } = await source.walk(targetOf(definition, expected));
  const sent = server.requested.length;
  return [
    ...(source.granted < sent
      ? [`${sent} requests were sent, but only ${source.granted} granted by the budget`]
      : []),
    ...(reported === 0 && sent > 0 ? ['requests are not reported to the session (`onRequest`)'] : []),
    ...(reported > sent ? [`${reported} requests are reported to the session, but ${sent} were sent`] : []),
  ];
}

/** The lookup finds deleted records, and no others. */
async function checkDeletions({
  definition,
  recorded,
  source,
}: World): Promise<string[] | { skipped: string }> {
  const { deletions } = recorded;
  const { lookup } = source.platform;
  if (lookup === null) return { skipped: 'the source has no lookup, so deleted content stays' };
  if (deletions === null) return { skipped: 'no deletions are recorded' };
  const expected = smallest(
    recorded.targets.filter(
      ({ posts, comments }) =>
        deletions.posts.every((id) => posts.includes(id)) &&
        deletions.comments.every(({ id }) => comments.includes(id)),
    ),
  );
  const { posts, comments } = await source.walk(targetOf(definition, expected));
  const some = [...new Set([...deletions.posts, ...posts.map(({ id }) => id)])].slice(0, MAX_LOOKED_UP);
  const threads = [...new Set(deletions.comments.map(({ postId }) => postId))].map((postId) => ({
    postId,
    ids: comments.filter((comment) => comment.postId === postId).map(({ id }) => id),
  }));
  const goneNow = async (): Promise<{ posts: string[]; comments: string[] }> => {
    const session = source.session();
    const gone = { posts: idsOf(await lookup.findGonePosts(some, session)), comments: [] as string[] };
    for (const { postId, ids } of threads)
      gone.comments.push(...idsOf(await lookup.findGoneComments(ids, postId, session)));
    return gone;
  };
  // Records that were deleted or removed before the recording.
  const before = await goneNow();
  await deletions.delete();
  const after = await goneNow();
  return [
    ...listDifferences('findGonePosts', [...before.posts, ...deletions.posts], after.posts),
    ...listDifferences(
      'findGoneComments',
      [...before.comments, ...deletions.comments.map(({ id }) => id)],
      after.comments,
    ),
  ];
}

const MAX_LOOKED_UP = 100;

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

function differences(expected: RecordedTarget, { posts, comments }: Walked): string[] {
  const { target } = expected;
  return [
    ...listDifferences(
      `${target}: posts`,
      expected.posts,
      posts.map(({ id }) => id),
    ),
    ...listDifferences(
      `${target}: comments`,
      expected.comments,
      comments.map(({ id }) => id),
    ),
  ];
}

function listDifferences(what: string, expected: readonly string[], found: readonly string[]): string[] {
  const missing = expected.filter((id) => !found.includes(id));
  const unexpected = found.filter((id) => !expected.includes(id));
  const twice = found.filter((id, index) => found.indexOf(id) !== index);
  const said = (list: string[], words: string): string[] =>
    list.length === 0 ? [] : [`${what}: ${list.length} ${words}, such as ${list[0]}`];
  return [...said(missing, 'missing'), ...said(unexpected, 'not expected'), ...said(twice, 'twice')];
}
