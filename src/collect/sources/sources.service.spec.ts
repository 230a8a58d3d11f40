import { parseEnvironment } from '../../config/environment.js';
import type { Platforms } from '../../platforms/platforms.js';
import { SOURCES } from '../../platforms/registry.js';
import { SourcesService } from './sources.service.js';

/** No site answers. */
const platforms = { recognise: () => Promise.resolve(null) } as unknown as Platforms;
const environment = parseEnvironment({ HACKERNEWS_REQUESTS_PER_HOUR: '600' });
const sources = new SourcesService(environment, platforms);

describe('SourcesService', () => {
  it('describes every source with its limit', () => {
    const list = sources.list().sources;
    expect(list.map(({ source }) => source)).toEqual(SOURCES.all.map(({ source }) => source));
    expect(list.find(({ source }) => source === 'hackernews')!.limit).toEqual({
      requests: 100,
      window_seconds: 600,
      per_site: false,
    });
  });

  it.each([
    ['https://www.reddit.com/r/technology/comments/abc/title/', 'technology', 'forum', 'reddit'],
    ['old.reddit.com/user/spez', 'spez', 'user', 'reddit'],
    ['https://news.ycombinator.com/', 'hn:top', 'forum', 'hackernews'],
    ['https://news.ycombinator.com/newest', 'hn:new', 'forum', 'hackernews'],
    ['https://www.reddit.com/user/spez/comments/', 'spez/comments', 'user', 'reddit'],
    ['https://news.ycombinator.com/newcomments', 'hn:comments', 'forum', 'hackernews'],
    ['https://news.ycombinator.com/threads?id=pg', 'hn:pg/comments', 'user', 'hackernews'],
    ['https://hn.algolia.com/?q=solar++cell', 'hn:search/solar cell', 'forum', 'hackernews'],
    ['https://news.ycombinator.com/user?id=pg', 'hn:pg', 'user', 'hackernews'],
    ['https://np.reddit.com/r/technology?sort=top#x', 'technology', 'forum', 'reddit'],
    ['https://www.reddit.com/r/technology/s/AbCd', 'technology', 'forum', 'reddit'],
    ['https://m.reddit.com/u/spez/submitted', 'spez', 'user', 'reddit'],
    ['https://news.ycombinator.com/news?p=2', 'hn:top', 'forum', 'hackernews'],
    ['https://news.ycombinator.com/shownew', 'hn:show', 'forum', 'hackernews'],
    ['https://news.ycombinator.com/submitted?id=pg', 'hn:pg', 'user', 'hackernews'],
    [
      'https://hn.algolia.com/?dateRange=all&page=0&query=solar&sort=byDate&type=story',
      'hn:search/solar',
      'forum',
      'hackernews',
    ],
    ['https://bsky.app/profile/Ann.Example.org/post/3k', 'bsky:ann.example.org', 'user', 'bluesky'],
    ['https://bsky.app/profile/did:plc:abc', 'bsky:did:plc:abc', 'user', 'bluesky'],
    ['https://bsky.app/hashtag/RStats', 'bsky:#rstats', 'forum', 'bluesky'],
    ['at://did:plc:abc/app.bsky.feed.post/3k', 'bsky:did:plc:abc', 'user', 'bluesky'],
    ['at://ann.example.org', 'bsky:ann.example.org', 'user', 'bluesky'],
    [
      'at://did:plc:abc/app.bsky.graph.list/3k',
      'bsky:at://did:plc:abc/app.bsky.graph.list/3k',
      'forum',
      'bluesky',
    ],
    ['did:plc:abc', 'bsky:did:plc:abc', 'user', 'bluesky'],
    ['https://github.com/nodejs/node/issues/5', 'github:nodejs/node', 'forum', 'github'],
    ['https://api.github.com/repos/nodejs/node/pulls', 'github:nodejs/node', 'forum', 'github'],
    ['github.com/nodejs/node.git', 'github:nodejs/node', 'forum', 'github'],
    ['https://www.github.com/torvalds?tab=stars', 'github:user/torvalds', 'user', 'github'],
    ['https://stackoverflow.com/questions/tagged/c%2b%2b?tab=Newest', 'stackexchange:stackoverflow/c++'],
    ['https://stackoverflow.com/tags/rust/info', 'stackexchange:stackoverflow/rust'],
    ['https://www.superuser.com/users/1000/ann?tab=profile', 'stackexchange:superuser/1000', 'user'],
    ['https://unix.stackexchange.com/questions/tagged/bash', 'stackexchange:unix/bash'],
    ['https://meta.stackexchange.com/questions/tagged/api', 'stackexchange:meta/api'],
    ['https://meta.stackoverflow.com/questions/tagged/api', 'stackexchange:meta.stackoverflow/api'],
    ['https://unix.meta.stackexchange.com/tags/bug', 'stackexchange:unix.meta/bug'],
    ['https://meta.unix.stackexchange.com/tags/bug', 'stackexchange:unix.meta/bug'],
    ['https://mathoverflow.net/questions/tagged/ag.x', 'stackexchange:mathoverflow.net/ag.x'],
    ['https://ru.stackoverflow.com/users/5/', 'stackexchange:ru.stackoverflow/5', 'user'],
    ['https://stackapps.com/questions/tagged/app', 'stackexchange:stackapps/app'],
    ['https://askubuntu.com/questions/tagged/bash/', 'stackexchange:askubuntu/bash'],
    [
      'https://lists.example.org/pipermail/talk/2024-January/000123.html',
      'mail:https://lists.example.org/pipermail/talk/',
      'forum',
      'mail',
    ],
    [
      'lists.example.org/archives/list/talk%40example.org/thread/ABC/',
      'mail:https://lists.example.org/archives/list/talk@example.org/',
      'forum',
      'mail',
    ],
  ])('finds the target at %s', async (url, target, targetType = 'forum', source = 'stackexchange') => {
    expect(await sources.resolve('w', url)).toMatchObject({ target, target_type: targetType, source });
  });

  it('says what a source lacks without a token', () => {
    const lacksOf = (variables: Record<string, string>): string =>
      new SourcesService(parseEnvironment(variables), platforms)
        .list()
        .sources.find(({ source }) => source === 'github')!
        .lacks.join();
    expect(lacksOf({})).toContain('discussions: they need GITHUB_TOKEN');
    expect(lacksOf({ GITHUB_TOKEN: 'abc' })).not.toContain('discussions: they need');
  });

  it.each([
    ['https://redd.it/abc', 'Open it and copy'],
    ['https://www.reddit.com/comments/abc', 'Copy the address of a subreddit'],
    ['https://www.reddit.com/r/a+b', 'Several subreddits'],
    ['https://www.reddit.com/user/spez/m/mine', 'Several subreddits'],
    ['https://news.ycombinator.com/best', 'hn:top'],
    ['https://news.ycombinator.com/from?site=example.org', 'hn:search/example.org'],
    ['https://hn.algolia.com/', 'hn:search/QUERY'],
    ['https://bsky.app/search?q=', 'bsky:search/QUERY'],
    ['https://stackoverflow.com/questions/tagged/a+b', 'stackexchange:stackoverflow/a'],
    ['https://unix.stackexchange.com/questions', 'stackexchange:unix/TAG'],
    ['https://github.com/topics/rust', 'github:OWNER/REPO'],
    ['https://shop.example/search?q=shoes', 'discourse:SITE, nodebb:SITE, flarum:SITE, lemmy:COMMUNITY@SITE'],
    ['https://ann@forum.example/', 'must be the address of a page'],
  ])('says how to write a target instead of %s', async (url, remedy) => {
    const refusal = await sources.resolve('w', url).catch((error: unknown) => error);
    expect(JSON.stringify(refusal)).toContain(remedy);
  });

  it.each([
    'ftp://www.reddit.com/r/x',
    'http://',
    'https://example.org/r/technology',
    '//[',
    'https://reddit.com/',
  ])('refuses %s', async (url) => {
    await expect(sources.resolve('w', url)).rejects.toThrow('These fields are not valid: url');
  });

  it.each(SOURCES.all.flatMap(({ targets }) => targets))('accepts its own example $example', (form) => {
    const parsed = SOURCES.parse({ type: form.targetType, name: form.example });
    expect(parsed).not.toHaveProperty('refusal');
  });
});
