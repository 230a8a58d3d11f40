import { siteId, splitSiteId } from '../../common/site-names.js';
import { asId, asObject } from '../http/response-parsing.js';
import {
  DELETED,
  type Platform,
  type PlatformComment,
  type PlatformPost,
  type PlatformSession,
  type TreePost,
} from '../platform.js';
import { type PolledPage, type PolledSource, textOfPost } from '../polling/polled-source.js';
import type { Dialect, ViewPage } from './dialect.js';
import {
  forumOf,
  isShown,
  LEMMY_PREFIX,
  type LemmyComment,
  mapComment,
  mapPosts,
  readComments,
  timeOf,
} from './lemmy-wire.js';

/** Posts and comments of other instances appear among the older ones, usually within this time. */
const LATE_MS = 1_800_000;
/** Of 50 posts or comments each; version 3 shows fewer pages of posts. */
const MAX_PAGES = 20;

/** All posts and comments that an instance knows, as far as it lists them. */
export const lemmyPolled = (
  apiOf: (session: PlatformSession) => Promise<Dialect>,
  site: string,
  everyMs: number,
): PolledSource => ({
  lists: [
    async (after, _since, session) =>
      pageOfPosts(site, await (await apiOf(session)).listPosts({ site, kind: 'all' }, after, session)),
    async (after, _since, session) =>
      pageOfComments(
        site,
        await (await apiOf(session)).listNewComments({ site, kind: 'all' }, after, session),
      ),
  ],
  everyMs,
  lateMs: LATE_MS,
  maxPages: MAX_PAGES,
});

function pageOfPosts(site: string, { views, after, isCut }: ViewPage): PolledPage {
  const texts = mapPosts(site, views).map(textOfPost);
  return { texts, oldest: timeOf(views.at(-1), 'post'), next: after, ...(isCut && { isCut }) };
}

function pageOfComments(site: string, { views, after, isCut }: ViewPage): PolledPage {
  const texts = readComments(views).flatMap((read) => {
    const comment = isShown(read) ? mapComment(site, postAbove(site, read), read) : null;
    if (comment === null) return [];
    const { id, createdUtc, forum, author, body: text } = comment;
    const known = { id, isComment: true, at: createdUtc, createdUtc, forum, author, text };
    return { ...known, title: '', flair: '', languages: [] };
  });
  return { texts, oldest: timeOf(views.at(-1), 'comment'), next: after, ...(isCut && { isCut }) };
}

/** What a comment's view says of the post above it. */
function postAbove(site: string, { view }: LemmyComment): TreePost {
  const number = asId(asObject(view.post)?.id) ?? 0;
  const forum = `lemmy:${forumOf(site, view) ?? DELETED}`;
  return { id: siteId(LEMMY_PREFIX, site, number), forum, permalink: `/post/${number}` };
}

/** Comments by id with their posts; one that is gone, or whose post is, is left out. */
export async function commentsById(
  ids: readonly string[],
  platform: Pick<Platform, 'fetchPosts'>,
  apiOf: (site: string) => Promise<Dialect>,
  session: PlatformSession,
): Promise<{ posts: PlatformPost[]; comments: PlatformComment[] }> {
  const found: { site: string; comment: LemmyComment; postId: string }[] = [];
  for (const id of ids) {
    const { site, number } = splitSiteId(LEMMY_PREFIX, id)!;
    const [comment] = readComments([await (await apiOf(site)).getView('comment', number, session)]);
    if (comment !== undefined && isShown(comment))
      found.push({ site, comment, postId: postAbove(site, comment).id });
  }
  const posts = await platform.fetchPosts([...new Set(found.map(({ postId }) => postId))], session);
  const comments = found.flatMap(({ site, comment, postId }) => {
    const post = posts.find(({ id }) => id === postId);
    return post === undefined ? [] : (mapComment(site, post, comment) ?? []);
  });
  return { posts, comments };
}
