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
  ])('finds the target at %s', async (url, target, targetType, source) => {
    expect(await sources.resolve('w', url)).toMatchObject({ target, target_type: targetType, source });
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
