/** A worked example: sites with a small JSON API of message boards. `docs/sources-writing.md` explains it. */
const PREFIX = 'bd_';
const AUTHOR_LENGTH = 255;
const TEXT_LENGTH = 150_000;

export default (tools) => {
  /** `SITE` or `SITE/u/NAME`; null for another form. */
  function read({ type, name }) {
    const [host = '', area, user = '', ...rest] = name.trim().split('/');
    const site = tools.parseSite(host);
    if (site === null || rest.length > 0) return null;
    if (area === undefined) return type === 'forum' ? { site, path: '/api/threads', normal: site } : null;
    if (area !== 'u' || user === '' || type !== 'user') return null;
    return { site, path: `/api/users/${encodeURIComponent(user)}/threads`, normal: `${site}/u/${user}` };
  }

  const authorOf = (name) => tools.visibleText(name, AUTHOR_LENGTH) || '[deleted]';
  const idOf = (site, number) => tools.siteId(PREFIX, site, number);
  const toPost = (site, thread) => ({
    ...tools.PLAIN_POST,
    id: idOf(site, thread.id),
    forum: `board:${site}`,
    title: tools.visibleText(thread.title, 4_000),
    author: authorOf(thread.author),
    createdUtc: new Date(thread.created),
    permalink: `/threads/${thread.id}`,
    score: thread.points,
    numComments: thread.replies,
    selftext: tools.plainText(thread.html, TEXT_LENGTH),
  });

  class BoardPlatform {
    source = 'board';
    listings = ['new'];
    listingCap = null;
    archive = null;
    lookup = {
      prefixes: { post: PREFIX, comment: PREFIX },
      commentsBy: 'thread',
      findGonePosts: async (ids, session) => {
        const found = new Set((await this.fetchPosts(ids, session)).map(({ id }) => id));
        return ids.filter((id) => !found.has(id)).map((id) => tools.deletedPost(id));
      },
      findGoneComments: async (ids, postId, session) => {
        const thread = await this.fetchThread(postId, session);
        // Nothing is known about the comments of a thread that is gone as a whole.
        if (thread === null) return [];
        const shown = new Set(thread.comments.map(({ id }) => idOf(thread.site, id)));
        return ids.filter((id) => !shown.has(id)).map((id) => tools.deletedComment(id));
      },
    };

    constructor(context) {
      this.sites = tools.sitesOf('board', context);
    }

    async fetchListing({ target }, after, session) {
      const { site, path } = read(target);
      const page = await this.fetch(site, path, { page: after ?? '1' }, session);
      if (page === null)
        throw new tools.PlatformError('target_not_found', `There is no "board:${target.name}"`);
      // The site says which page is next; a short page is not the last one.
      return { posts: page.threads.map((one) => toPost(site, one)), after: page.next && String(page.next) };
    }

    async *walkComments(post, session) {
      const thread = await this.fetchThread(post.id, session);
      if (thread === null) return yield { comments: [], missing: 1 };
      const depths = new Map();
      const comments = thread.comments.map((comment) => {
        const depth = comment.parent === null ? 0 : (depths.get(comment.parent) ?? -1) + 1;
        depths.set(comment.id, depth);
        return {
          id: idOf(thread.site, comment.id),
          postId: post.id,
          forum: post.forum,
          postPermalink: post.permalink,
          parentId: comment.parent === null ? post.id : idOf(thread.site, comment.parent),
          author: authorOf(comment.author),
          body: tools.plainText(comment.html, TEXT_LENGTH),
          score: comment.points,
          createdUtc: new Date(comment.created),
          depth,
          isSubmitter: comment.author === thread.author,
        };
      });
      yield { comments, missing: 0 };
    }

    async fetchPosts(ids, session) {
      const threads = await Promise.all(ids.map((id) => this.fetchThread(id, session)));
      return threads.flatMap((thread) => (thread === null ? [] : toPost(thread.site, thread)));
    }

    async close() {
      this.sites.close();
    }

    async fetchThread(id, session) {
      const { site, number } = tools.splitSiteId(PREFIX, id);
      const thread = await this.fetch(site, `/api/threads/${number}`, {}, session);
      return thread && { ...thread, site };
    }

    /** The JSON at a path of a site; null when there is nothing. */
    fetch(site, path, params, session) {
      const isExpected = (json) => Array.isArray(json?.threads ?? json?.comments);
      return this.sites.of(site).fetch(
        {
          what: path,
          path,
          params,
          read: (json) => (isExpected(json) ? { done: true, value: json } : tools.unreadable('no list')),
          refused: (status) => (status === 404 ? { done: true, value: null } : null),
        },
        session,
      );
    }
  }

  const target = (form, example, targetType, description) => ({ form, example, targetType, description });
  return {
    source: 'board',
    name: 'Board',
    prefix: 'board',
    targets: [
      target('board:SITE', 'board:board.example', 'forum', 'the threads of a board'),
      target('board:SITE/u/NAME', 'board:board.example/u/ann', 'user', 'the threads of an account'),
    ],
    parseTarget: (given) => {
      const normal = read(given)?.normal;
      if (normal !== undefined) return { target: { ...given, name: normal } };
      return { refusal: `There is no "board:${given.name}". Write board:SITE or board:SITE/u/NAME` };
    },
    isCaseSensitive: () => false,
    ids: { post: PREFIX, comment: PREFIX },
    origin: 'https://{site}',
    hasSites: true,
    budget: tools.siteBudget,
    remedies: {},
    lacks: ['media'],
    resolve: () => null,
    create: (context) => new BoardPlatform(context),
  };
};
