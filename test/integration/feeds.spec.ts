import { jest } from '@jest/globals';
import { decodeHTML } from 'entities';
import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { ENVIRONMENT } from '../../src/config/environment.js';
import { RequestLimits } from '../../src/infrastructure/rate-limit/request-limits.js';
import { SearchService } from '../../src/search/search.service.js';
import { SavedSearchesRepository } from '../../src/takeout/searches/saved-searches.repository.js';
import type { FeedDto } from '../../src/takeout/feeds/feed.dto.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, type NewPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { FEED_RULES } from '../support/feed-rules.js';
import { parseXml, type XmlElement } from '../support/xml.js';

const MINUTE_MS = 60_000;

const service = await startTestApplication({ ROLES: 'api' });

describe('feeds of saved searches', () => {
  let workspace: TestWorkspace;
  let minutes = 0;

  beforeEach(async () => {
    workspace = await service.createWorkspace();
  });
  afterEach(() => jest.restoreAllMocks());

  const store = (posts: readonly NewPost[]) => storePosts(service, workspace.workspaceId, posts);
  async function feedOf(search: object): Promise<FeedDto & { path: string }> {
    const { id } = await call<{ id: string }>(service, workspace, 'POST', '/searches', search);
    const path = `/searches/${id}/feed`;
    return { ...(await call<FeedDto>(service, workspace, 'POST', path)), path };
  }
  const read = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers });
  const later = (milliseconds: number): void => {
    const now = Date.now() + milliseconds;
    jest.spyOn(service.get(Clock), 'now').mockImplementation(() => new Date(now));
  };
  const entryOf = (element: XmlElement): XmlElement =>
    element.children.find(({ name }) => /(^|\})(item|entry)$/.test(name)) ?? entryOf(element.children[0]!);
  const idsIn = (atom: string): string[] => [...atom.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id!);

  it('have the results in three forms, each with its media type', async () => {
    await store([aPost(1, { title: 'Solar', selftext: 'One', author: 'ann' }), aPost(2)]);
    const { atom_url, json_url, rss_url } = await feedOf({ name: 'Sun', q: 'solar' });
    const atom = await read(atom_url);
    expect(atom.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    const text = await atom.text();
    expect(text).toContain(`<link rel="self" href="${atom_url}"/>`);
    expect(text).toMatch(/<updated>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z<\/updated>/);
    expect(text.match(/<entry>/g)).toHaveLength(1);
    expect(text).toContain('<name>ann</name>');
    const rss = await (await read(rss_url)).text();
    expect(rss).toContain('<rss version="2.0"');
    expect(rss).toMatch(
      /<guid isPermaLink="false">urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){2}-[89ab][0-9a-f]{3}-[0-9a-f]{12}<\/guid>/,
    );
    expect(rss).toMatch(/<pubDate>\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT<\/pubDate>/);
    const json = (await (await read(json_url)).json()) as { version: string; items: object[] };
    expect(json.version).toBe('https://jsonfeed.org/version/1.1');
    expect(json.items).toMatchObject([{ title: 'Solar', authors: [{ name: 'ann' }] }]);
  });

  it.each(['atom', 'rss', 'json'] as const)('keep every rule of %s over hostile texts', async (form) => {
    const texts = [
      'a ]]> b <![CDATA[ c ]]> &amp; &lt;b&gt; &bogus; <b>"x"</b> \u0001\u0008\u000b\ufffe\uffff\u0085',
      '\ud800 lone \udc00 \u202eright to left\u202c \u200f🔥'.repeat(20),
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y "z">]>&y;',
      ' \n\t ',
      `${'🔥'.repeat(149)}x${'🔥'.repeat(10)}`,
    ];
    await store(
      texts.map((text, number) =>
        aPost(number + 1, {
          title: text.trim() || '-',
          selftext: text,
          author: text,
          forum: `a&b<"${number}'`,
        }),
      ),
    );
    await store([aPost(90, { selftext: '' })]);
    const feed = await feedOf({ name: 'A ]]> & <b> &amp;' });
    const url = feed[`${form}_url`];
    const text = await (await read(url)).text();
    expect(FEED_RULES[form](text, url)).toEqual([]);
    if (form === 'json') return;
    const { children } = parseXml(text);
    const [title] =
      form === 'rss' ? children[0]!.children : children.filter(({ name }) => /\}title$/.test(name));
    expect(title!.text).toBe('A ]]> & <b> &amp;');
    expect(text).toContain('a&amp;b&lt;');
  });

  it('contain no markup and no character of a record that XML forbids', async () => {
    const title = `"It's" ]]> b ]]> <script>x</script> &amp; &#39; \u0001\u0008\ufffe\u200b🔥`;
    const shown = `"It's" ]]> b ]]> <script>x</script> &amp; &#39; \u200b🔥`;
    await store([aPost(1, { title, selftext: `${title}\n]]>`, author: 'a<b>&c' })]);
    const { atom_url, json_url, rss_url } = await feedOf({ name: 'A ]]> & <b>' });
    for (const url of [atom_url, rss_url]) {
      const text = await (await read(url)).text();
      // eslint-disable-next-line no-control-regex -- Control characters are what is looked for.
      expect(text).not.toMatch(/[\u0000-\u0008\ufffe]/);
      const [entry, isRss] = [entryOf(parseXml(text)), url === rss_url];
      const written = entry.children.find(({ name }) => /(^|\})title$/.test(name))!;
      expect(written.children).toEqual([]);
      expect(isRss ? written.text : decodeHTML(written.text)).toBe(shown);
      expect(written.attributes.type).toBe(isRss ? undefined : 'html');
      expect(text.match(/\]\]>/g)).toHaveLength(text.match(/<!\[CDATA\[/g)!.length);
      expect(text).toContain('🔥');
    }
    const json = (await (await read(json_url)).json()) as { items: { title: string }[] };
    expect(json.items[0]!.title).toBe(shown);
  });

  it('have the address that a post without a text links', async () => {
    await store([
      aPost(1, { selftext: '', url: 'https://a.example/?b=1&c' }),
      aPost(2, { selftext: '', url: null }),
    ]);
    const { json_url, rss_url } = await feedOf({ name: 'Links' });
    const { items } = (await (await read(json_url)).json()) as { items: { content_html: string }[] };
    expect(items.map(({ content_html }) => content_html).sort()).toEqual([
      '',
      'https://a.example/?b=1&amp;c',
    ]);
    expect(await (await read(rss_url)).text()).toContain('<![CDATA[https://a.example/?b=1&amp;c]]>');
  });

  it('have the newest 50, each once, over ties and deletions', async () => {
    const createdUtc = new Date('2026-01-01T00:00:00Z');
    await store(Array.from({ length: 60 }, (_, number) => aPost(number + 1, { createdUtc })));
    const { atom_url } = await feedOf({ name: 'All' });
    const before = idsIn(await (await read(atom_url)).text());
    expect(new Set(before).size).toBe(51);
    await service.app
      .get(DataSource)
      .query(`DELETE FROM posts WHERE workspace_id = $1 AND id > $2`, [workspace.workspaceId, aPost(55).id]);
    later(MINUTE_MS);
    const after = idsIn(await (await read(atom_url)).text());
    expect(new Set(after).size).toBe(51);
    expect(after.filter((id) => before.includes(id))).toHaveLength(46);
  });

  it('have comments, each with the address of its post', async () => {
    await storeComments(service, workspace.workspaceId, [aComment(1)]);
    const { json_url } = await feedOf({ name: 'C', of: 'comments', filters: { author: ['author1'] } });
    const { items } = (await (await read(json_url)).json()) as { items: object[] };
    expect(items).toMatchObject([
      {
        title: 'Comment 1 about chargers',
        url: expect.stringMatching(/^https:.*\/comments\/000001\/post\/$/) as string,
      },
    ]);
  });

  it('answer 304 until something changes, by tag or by time', async () => {
    await store([aPost(1)]);
    const { atom_url } = await feedOf({ name: 'All' });
    const { headers } = await read(atom_url);
    const [etag, modified] = [headers.get('etag')!, headers.get('last-modified')!];
    expect(headers.get('cache-control')).toBe('private, max-age=60');
    expect((await read(atom_url, { 'If-None-Match': etag })).status).toBe(304);
    expect((await read(atom_url, { 'If-Modified-Since': modified })).status).toBe(304);
    await store([aPost(2, { scrapedAt: new Date('2026-03-01T00:00:00Z') })]);
    later(MINUTE_MS);
    expect((await read(atom_url, { 'If-None-Match': etag })).status).toBe(200);
    expect((await read(atom_url, { 'If-Modified-Since': modified })).status).toBe(200);
  });

  it('answer 200 by time after every change, also of one that removes', async () => {
    await store([aPost(1), aPost(2)]);
    const { json_url, path } = await feedOf({ name: 'All' });
    const search = path.replace('/feed', '');
    const changes = [
      () => store([aPost(1, { title: 'Changed', scrapedAt: new Date('2026-03-01T00:00:00Z') })]),
      () => call(service, workspace, 'PATCH', search, { name: 'None', q: 'zeppelin' }),
      () => call(service, workspace, 'PATCH', search, { name: 'None', q: 'post' }),
      () =>
        service.app
          .get(DataSource)
          .query('DELETE FROM posts WHERE workspace_id = $1 AND id = $2', [
            workspace.workspaceId,
            aPost(2).id,
          ]),
    ];
    for (const change of changes) {
      const modified = (await read(json_url)).headers.get('last-modified')!;
      expect((await read(json_url, { 'If-Modified-Since': modified })).status).toBe(304);
      await change();
      later((minutes += 1) * MINUTE_MS);
      expect((await read(json_url, { 'If-Modified-Since': modified })).status).toBe(200);
    }
  });

  it.each(['atom', 'rss', 'json'] as const)(
    'name the service as the site of the feed as %s',
    async (form) => {
      await store([aPost(1)]);
      const url = (await feedOf({ name: 'All' }))[`${form}_url`];
      const text = await (await read(url)).text();
      const own = { atom: '<link rel="self" href=', rss: '<atom:link href=', json: '"feed_url":' }[form];
      const site = { atom: '<link rel="alternate" href=', rss: '<link>', json: '"home_page_url":' }[form];
      expect(text).toContain(site + (form === 'rss' ? `${service.url}/` : `"${service.url}/"`));
      expect(text.split(new URL(url).pathname)).toHaveLength(2);
      expect(text).toContain(`${own}"${url}"`);
    },
  );

  it('search once a minute, however often they are read', async () => {
    await store([aPost(1)]);
    const { atom_url } = await feedOf({ name: 'All' });
    const page = jest.spyOn(service.get(SearchService), 'page');
    const { headers } = await read(atom_url);
    const polls = Array.from({ length: 200 }, () =>
      read(atom_url, { 'If-None-Match': headers.get('etag')! }),
    );
    expect(new Set((await Promise.all(polls)).map(({ status }) => status))).toEqual(new Set([304]));
    expect(page).toHaveBeenCalledTimes(1);
  });

  it('answer 2,000 polls of readers with one search and no other look at the database', async () => {
    await store([aPost(1)]);
    const { atom_url } = await feedOf({ name: 'All' });
    const etag = (await read(atom_url)).headers.get('etag')!;
    const search = jest.spyOn(service.get(SearchService), 'page');
    const lookUp = jest.spyOn(service.get(SavedSearchesRepository), 'findByFeed');
    later(0);
    let left = 2_000;
    const poll = async (): Promise<void> => {
      while ((left -= 1) >= 0) {
        const response = await read(atom_url, { 'If-None-Match': etag });
        if (response.status !== 304) throw new Error(`A poll was answered with ${response.status}`);
      }
    };
    await Promise.all(Array.from({ length: 20 }, poll));
    expect([search.mock.calls.length, lookUp.mock.calls.length]).toEqual([0, 0]);
  });

  it('have the address that the operator set for people', async () => {
    const environment: { PUBLIC_URL?: string } = service.app.get(ENVIRONMENT);
    environment.PUBLIC_URL = 'https://wss.example.org';
    const { atom_url } = await feedOf({ name: 'All' });
    const text = await (await read(service.url + new URL(atom_url).pathname)).text();
    delete environment.PUBLIC_URL;
    expect(atom_url).toMatch(/^https:\/\/wss\.example\.org\/api\/v1\/workspaces\//);
    expect(text).toContain(`<link rel="self" href="${atom_url}"/>`);
  });

  it('end with DELETE, with a new feed, and with their search', async () => {
    const first = await feedOf({ name: 'All' });
    expect((await read(first.atom_url)).status).toBe(200);
    const second = await call<FeedDto>(service, workspace, 'POST', first.path);
    later(6_000);
    expect((await read(first.atom_url)).status).toBe(404);
    expect((await read(second.atom_url)).status).toBe(200);
    await call(service, workspace, 'DELETE', first.path);
    later(20_000);
    expect((await read(second.atom_url)).status).toBe(404);
  });

  it('count unknown addresses as failures, and keep only the hash of the token', async () => {
    const { atom_url } = await feedOf({ name: 'All' });
    const failures = jest.spyOn(service.get(RequestLimits), 'countFailure');
    expect((await read(atom_url.replace(/feeds\/.{43}/, `feeds/${'a'.repeat(43)}`))).status).toBe(404);
    expect(failures).toHaveBeenCalledTimes(1);
    const token = /feeds\/(.{43})\.atom/.exec(atom_url)![1]!;
    const [row] = await service.app
      .get(DataSource)
      .query<[object]>('SELECT * FROM saved_searches WHERE workspace_id = $1', [workspace.workspaceId]);
    expect(JSON.stringify(row)).not.toContain(token);
    expect((await requestAs(service, workspace, 'GET', '/searches')).text).not.toMatch(/token/);
  });
});
