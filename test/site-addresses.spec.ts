import { readDiscourseAddress } from '../src/platforms/discourse/discourse-addresses.js';
import { mapTopic, readTopicSummary } from '../src/platforms/discourse/discourse-wire.js';
import { readFlarumAddress } from '../src/platforms/flarum/flarum-target.js';
import { readLemmyAddress } from '../src/platforms/lemmy/lemmy-addresses.js';
import { readMastodonAddress } from '../src/platforms/mastodon/mastodon-addresses.js';
import { readNodebbAddress } from '../src/platforms/nodebb/nodebb-target.js';
import type { Target } from '../src/platforms/platform.js';
import { SOURCES } from '../src/platforms/registry.js';

const SITE = 'site.example';
const nameOf = (target: Target): string => `${target.type} ${target.name}`;
const at = (path: string): URL => new URL(`https://${SITE}${path}`);

describe('addresses of a Discourse forum', () => {
  it.each([
    ['/', 'forum site.example'],
    ['/latest?order=created', 'forum site.example'],
    ['/top?period=weekly', 'forum site.example/top'],
    ['/top/all', 'forum site.example/top'],
    ['/c/support', 'forum site.example/c/support'],
    ['/c/parent/child/5/l/latest', 'forum site.example/c/parent/child/5'],
    ['/c/parent/child/5/none/l/top', 'forum site.example/c/parent/child/5'],
    ['/c/support/5/none', 'forum site.example/c/support/5'],
    ['/tag/api', 'forum site.example/tag/api'],
    ['/tag/api/l/latest', 'forum site.example/tag/api'],
    ['/tags/api', 'forum site.example/tag/api'],
    ['/tag/%D1%82%D0%B5%D0%BC%D0%B0', 'forum site.example/tag/тема'],
    ['/u/Ann.B_c-d/summary', 'user site.example/u/Ann.B_c-d'],
    ['/users/ann/activity/topics', 'user site.example/u/ann'],
  ])('%s is a target', (path, name) => {
    const address = readDiscourseAddress(at(path), '');
    expect(address !== null && 'target' in address ? nameOf(address.target) : address).toBe(name);
  });

  it.each([
    ['/t/slug/12/3', { topic: '12' }],
    ['/t/slug/12', { topic: '12' }],
    ['/t/12', { topic: '12' }],
    ['/t/12/3', { topic: '12' }],
    ['/t/2024/12/3', { topic: '12' }],
    ['/t/slug/12.json', { topic: '12' }],
    ['/t/-/12?u=ann#x', { topic: '12' }],
    ['/p/34', { post: '34' }],
  ])('%s belongs to a topic', (path, expected) => {
    expect(readDiscourseAddress(at(path), '')).toEqual({ site: SITE, ...expected });
  });

  it.each(['/tags/c/support/5/api', '/search?q=x', '/g/staff', '/tags'])('%s says what to write', (path) => {
    const address = readDiscourseAddress(at(path), '');
    expect(address).toHaveProperty(
      'refusal.message',
      expect.stringContaining('discourse:site.example/tag/TAG'),
    );
  });

  it('may lie below a path', () => {
    expect(readDiscourseAddress(at('/forum/t/slug/12'), '/forum')).toEqual({ site: SITE, topic: '12' });
    expect(readDiscourseAddress(at('/forum'), '/forum')).toHaveProperty('target.name', SITE);
    expect(readDiscourseAddress(at('/shop/t/slug/12'), '/forum')).toBeNull();
    const topic = readTopicSummary({ id: 12, title: 'Topic', slug: 'slug', created_at: '2026-01-02' })!;
    expect(mapTopic({ site: SITE, path: '/forum', baseUrl: '' }, 'f', topic).permalink).toBe(
      '/forum/t/slug/12',
    );
  });
});

describe('addresses of a NodeBB forum', () => {
  it.each([
    ['/', { category: null }],
    ['/recent?page=2', { category: null }],
    ['/category/5/news?sort=oldest', { category: '5' }],
    ['/api/category/5', { category: '5' }],
    ['/topic/12/a-topic/3', { topic: '12' }],
  ])('%s is understood', (path, expected) => {
    expect(readNodebbAddress(at(path), '')).toEqual({ site: SITE, ...expected });
  });

  it.each(['/user/ann', '/tags/api', '/categoryx/5'])('%s is none', (path) => {
    expect(readNodebbAddress(at(path), '')).toBeNull();
  });
});

describe('addresses of a Flarum forum', () => {
  it.each([
    ['/', 'forum site.example'],
    ['/all', 'forum site.example'],
    ['/d/5-a-discussion/3', 'forum site.example'],
    ['/t/Support', 'forum site.example/t/support'],
    ['/t/%D1%82', 'forum site.example/t/т'],
  ])('%s is a target', (path, name) => {
    const target = readFlarumAddress(at(path), '');
    expect(target && nameOf(target)).toBe(name);
  });

  it.each(['/u/ann', '/p/1', '/dx/5'])('%s is none', (path) => {
    expect(readFlarumAddress(at(path), '')).toBeNull();
  });
});

describe('addresses of a Lemmy instance', () => {
  it.each([
    ['/', 'forum local@site.example'],
    ['/?dataType=Post&listingType=All&sort=New', 'forum all@site.example'],
    ['/communities', 'forum local@site.example'],
    ['/c/chess?sort=New', 'forum chess@site.example'],
    ['/c/chess@home.example', 'forum chess@home.example@site.example'],
    ['/c/chess%40home.example/', 'forum chess@home.example@site.example'],
    ['/m/chess/t/5/slug', 'forum chess@site.example'],
    ['/m/chess@home.example', 'forum chess@home.example@site.example'],
    ['/u/Ann', 'user Ann@site.example'],
    ['/u/@ann@home.example', 'user ann@home.example@site.example'],
    ['/u/ann@home.example', 'user ann@home.example@site.example'],
    ['/@ann', 'user ann@site.example'],
  ])('%s is a target', (path, name) => {
    const address = readLemmyAddress(at(path));
    expect(address !== null && 'target' in address ? nameOf(address.target) : address).toBe(name);
  });

  it.each([
    ['/post/12', { post: '12' }],
    ['/post/12/34', { post: '12' }],
    ['/comment/34', { comment: '34' }],
  ])('%s belongs to a community', (path, expected) => {
    expect(readLemmyAddress(at(path))).toEqual({ site: SITE, ...expected });
  });
});

describe('addresses of a Mastodon instance', () => {
  it.each([
    ['/', 'forum local@site.example'],
    ['/public/local', 'forum local@site.example'],
    ['/web/timelines/public/local', 'forum local@site.example'],
    ['/deck/public/local', 'forum local@site.example'],
    ['/tags/RStats', 'forum #RStats@site.example'],
    ['/tags/%E3%83%86%E3%82%B9%E3%83%88', 'forum #テスト@site.example'],
    ['/web/timelines/tag/rstats', 'forum #rstats@site.example'],
    ['/deck/tags/rstats', 'forum #rstats@site.example'],
    ['/@ann', 'user ann@site.example'],
    ['/@ann/with_replies', 'user ann@site.example'],
    ['/@ann/109294719267373593', 'user ann@site.example'],
    ['/@ann@home.example', 'user ann@home.example@site.example'],
    ['/web/@ann', 'user ann@site.example'],
    ['/deck/@ann@home.example/1', 'user ann@home.example@site.example'],
    ['/users/ann/statuses/1', 'user ann@site.example'],
  ])('%s is a target', (path, name) => {
    const target = readMastodonAddress(at(path));
    expect(target && nameOf(target)).toBe(name);
  });

  it.each(['/settings/profile', '/auth/sign_in', '/tags/', '/@'])('%s is none', (path) => {
    expect(readMastodonAddress(at(path))).toBeNull();
  });
});

describe('names that people write for addresses', () => {
  it.each([
    ['!chess@lemmy.example', 'https://lemmy.example/c/chess'],
    ['@ann@social.example', 'https://social.example/@ann'],
    ['forum.example/t/5', 'https://forum.example/t/5'],
    ['HTTPS://Forum.Example', 'https://forum.example/'],
  ])('%s stands for %s', (text, address) => {
    expect(SOURCES.urlOf(text)?.href).toBe(address);
  });

  it.each(['ann@social.example', 'ftp://forum.example', 'https://', ''])('"%s" stands for none', (text) => {
    expect(SOURCES.urlOf(text)).toBeNull();
  });
});
