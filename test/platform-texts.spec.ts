import { readDumpRow } from '../src/platforms/reddit/archive/dump-rows.js';
import { mapPost as blueskyPost, readPost as readBluesky } from '../src/platforms/bluesky/bluesky-wire.js';
import {
  mapTopic,
  readPost as readDiscoursePost,
  readTopicSummary,
  textOf,
} from '../src/platforms/discourse/discourse-wire.js';
import { readFeed } from '../src/platforms/feed/read-feed.js';
import { readComment as githubComment, readIssue } from '../src/platforms/github/github-wire.js';
import { mailSubject, mailText } from '../src/platforms/mail/mail-message.js';
import { FlarumDocument } from '../src/platforms/flarum/flarum-wire.js';
import { mapPost as hackerNewsPost } from '../src/platforms/hackernews/hackernews-items.js';
import { readThread as hackerNewsThread } from '../src/platforms/hackernews/hackernews-thread.js';
import { mapComment as lemmyComment, mapPosts, readComments } from '../src/platforms/lemmy/lemmy-wire.js';
import { mapStatus, readStatus } from '../src/platforms/mastodon/mastodon-wire.js';
import { mapComment as redditComment, mapPost as redditPost } from '../src/platforms/reddit/mapper.js';
import { readNodebbPost, readNodebbTopic } from '../src/platforms/nodebb/nodebb-wire.js';
import { plainText } from '../src/platforms/http/plain-text.js';
import type { SiteClient } from '../src/platforms/sites/site-client.js';
import { SOURCES } from '../src/platforms/registry.js';
import { readQuestion, readThread } from '../src/platforms/stackexchange/stackexchange-wire.js';

/** How a platform sends a text: as it was typed, with escaped characters, or as HTML. */
const asTyped = (text: string): string => text;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** With quotes and slashes, as some platforms escape more than they must. */
const escapedWhole = (text: string): string =>
  escaped(text).replaceAll('"', '&quot;').replaceAll("'", '&#x27;').replaceAll('/', '&#x2F;');
const asHtml = (text: string): string => `<p>${escapedWhole(text)}</p>`;

interface TextField {
  source: string;
  /** The place on the wire. */
  field: string;
  /** How the platform encodes what its author typed. */
  encode: (typed: string) => string;
  /** What is stored of a text on the wire. */
  store: (wire: string) => string | undefined;
}

const POST = { id: 's_1', forum: 'f', permalink: '/p' };
const SECONDS = 1_700_000_000;
const TIME = '2026-01-02T03:04:05Z';
const reddit = (more: object) => ({ id: 'abc', title: 't', created_utc: SECONDS, author: 'a', ...more });
const dumped = (more: object) => {
  const row = readDumpRow(JSON.stringify({ subreddit: 's', author: 'a', created_utc: SECONDS, ...more }));
  return row?.kind === 'post' ? row.post : undefined;
};
const hnThread = (text: string) =>
  hackerNewsThread(
    { id: 1, created_at_i: SECONDS, children: [{ id: 2, author: 'a', text, created_at_i: SECONDS }] },
    { ...POST, id: 'hn_1' },
  );
const hnHit = (more: object) =>
  hackerNewsPost({ objectID: '1', title: 't', created_at_i: SECONDS, _tags: ['story'], ...more });
const topic = (title: string) =>
  mapTopic(
    { site: 's', path: '', baseUrl: 'https://s' },
    'f',
    readTopicSummary({ id: 1, title, created_at: TIME, posts_count: 1 })!,
  );
const lemmy = (more: object) =>
  mapPosts('s', [{ post: { id: 1, name: 'n', published: TIME, ...more }, creator: {}, community: {} }])[0];
const status = (more: object) =>
  mapStatus('s', readStatus({ id: '1', created_at: TIME, account: { acct: 'a' }, ...more })!);
const question = (more: object) =>
  readQuestion('s', { question_id: 1, title: 't', creation_date: SECONDS, ...more })!;
const answers = (body: string) =>
  readThread('s', POST, {}, [{ answer_id: 2, creation_date: SECONDS, body }]).comments;

const issue = (more: object) =>
  readIssue({ number: 1, title: 't', created_at: TIME, repository_url: 'https://a/repos/o/r', ...more })!;

const nodebb = (more: object) =>
  readNodebbTopic({ site: 's', path: '' }, { tid: 1, title: 't', timestamp: SECONDS, ...more })!;
const flarum = (attributes: object) =>
  FlarumDocument.of({ data: { id: '1', attributes: { title: 't', createdAt: TIME, ...attributes } } })!;
const flarumSite = { site: 's', path: '', baseUrl: 'https://s' } as SiteClient;

const entry = (document: string) => readFeed(document, 'https://s.example/feed')?.entries[0];
const atomEntry = (field: string, typed: string) =>
  entry(
    `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>${field.replace('%', () => typed)}</entry></feed>`,
  );
const rssItem = (field: string, typed: string) =>
  entry(`<rss><channel><item>${field.replace('%', () => typed)}</item></channel></rss>`);

/** Every text of every platform, live and from archives. A new platform adds a row for each of its texts. */
const TEXTS: TextField[] = [
  { source: 'mail', field: 'Subject', encode: asTyped, store: mailSubject },
  { source: 'mail', field: 'plain text', encode: asTyped, store: (text) => mailText({ text }) },
  { source: 'mail', field: 'text in HTML', encode: asHtml, store: (html) => mailText({ html }) },
  {
    source: 'reddit',
    field: 'title',
    encode: asTyped,
    store: (title) => redditPost(reddit({ title }))?.title,
  },
  {
    source: 'reddit',
    field: 'selftext',
    encode: asTyped,
    store: (selftext) => redditPost(reddit({ selftext }))?.selftext,
  },
  {
    source: 'reddit',
    field: 'body',
    encode: asTyped,
    store: (body) =>
      redditComment(reddit({ body }), { post: POST, postAuthor: null, postCreatedUtc: null, depth: 0 })?.body,
  },
  {
    source: 'reddit',
    field: 'title of a dump',
    encode: escaped,
    store: (title) => dumped({ id: 'abc', title })?.title,
  },
  {
    source: 'reddit',
    field: 'selftext of a dump',
    encode: escaped,
    store: (selftext) => dumped({ id: 'abc', title: 't', selftext })?.selftext,
  },
  {
    source: 'reddit',
    field: 'body of a dump',
    encode: escaped,
    store: (body) => {
      const row = readDumpRow(
        JSON.stringify({
          id: 'abc',
          link_id: 't3_a',
          subreddit: 's',
          created_utc: SECONDS,
          author: 'a',
          body,
        }),
      );
      return row?.kind === 'comment' ? row.comment.body : undefined;
    },
  },
  { source: 'hackernews', field: 'title', encode: escapedWhole, store: (title) => hnHit({ title })?.title },
  {
    source: 'hackernews',
    field: 'story_text',
    encode: asHtml,
    store: (text) => hnHit({ story_text: text })?.selftext,
  },
  { source: 'hackernews', field: 'text', encode: escapedWhole, store: (text) => hnThread(text)?.[0]?.body },
  { source: 'discourse', field: 'title', encode: asTyped, store: (title) => topic(title).title },
  {
    source: 'discourse',
    field: 'cooked',
    encode: asHtml,
    store: (cooked) => textOf(readDiscoursePost({ id: 1, post_number: 1, created_at: TIME, cooked })!),
  },
  { source: 'lemmy', field: 'name', encode: asTyped, store: (name) => lemmy({ name })?.title },
  { source: 'lemmy', field: 'body', encode: asTyped, store: (body) => lemmy({ body })?.selftext },
  {
    source: 'lemmy',
    field: 'content',
    encode: asTyped,
    store: (content) =>
      lemmyComment(
        's',
        POST,
        readComments([{ comment: { id: 1, path: '0.1', content, published: TIME } }])[0]!,
      )?.body,
  },
  { source: 'mastodon', field: 'content', encode: asHtml, store: (content) => status({ content }).selftext },
  {
    source: 'mastodon',
    field: 'spoiler_text',
    encode: asTyped,
    store: (warning) => status({ spoiler_text: warning }).title,
  },
  {
    source: 'mastodon',
    field: 'title of a choice',
    encode: asTyped,
    store: (title) => status({ poll: { options: [{ title }] } }).selftext.replace(/^- /, ''),
  },
  {
    source: 'bluesky',
    field: 'text',
    encode: asTyped,
    store: (text) =>
      blueskyPost(
        readBluesky({
          uri: 'at://did:plc:abc/app.bsky.feed.post/3k',
          record: { text, createdAt: TIME },
          indexedAt: TIME,
        })!,
      ).selftext,
  },
  {
    source: 'stackexchange',
    field: 'title',
    encode: escapedWhole,
    store: (title) => question({ title }).title,
  },
  { source: 'stackexchange', field: 'body', encode: asHtml, store: (body) => question({ body }).selftext },
  {
    source: 'stackexchange',
    field: 'body of an answer',
    encode: asHtml,
    store: (body) => answers(body)[0]?.body,
  },
  {
    source: 'stackexchange',
    field: 'display_name',
    encode: escapedWhole,
    store: (name) => question({ owner: { display_name: name } }).author,
  },
  { source: 'nodebb', field: 'title', encode: escapedWhole, store: (title) => nodebb({ title }).title },
  {
    source: 'nodebb',
    field: 'titleRaw',
    encode: asTyped,
    store: (titleRaw) => nodebb({ titleRaw }).title,
  },
  {
    source: 'nodebb',
    field: 'tag',
    encode: asTyped,
    store: (value) => nodebb({ tags: [{ value }] }).flair,
  },
  {
    source: 'nodebb',
    field: 'content',
    encode: asHtml,
    store: (content) => plainText(readNodebbPost({ pid: 1, timestamp: SECONDS, content }, null)!.html, 9_999),
  },
  {
    source: 'flarum',
    field: 'title',
    encode: asTyped,
    store: (title) => flarum({ title }).readDiscussion(flarumSite, flarum({ title }).data[0])?.post.title,
  },
  {
    source: 'flarum',
    field: 'contentHtml',
    encode: asHtml,
    store: (contentHtml) =>
      plainText(flarum({ contentHtml }).readPost(flarum({ contentHtml }).data[0])!.html, 9_999),
  },
  { source: 'github', field: 'title', encode: asTyped, store: (title) => issue({ title }).title },
  { source: 'github', field: 'body', encode: asTyped, store: (body) => issue({ body }).selftext },
  {
    source: 'github',
    field: 'body of a comment',
    encode: asTyped,
    store: (body) => githubComment({ id: 1, created_at: TIME, body })!.body,
  },
  {
    source: 'github',
    field: 'label',
    encode: asTyped,
    store: (name) => issue({ labels: [{ name }] }).flair,
  },
  {
    source: 'feed',
    field: 'title of Atom',
    encode: escapedWhole,
    store: (title) => atomEntry('<title>%</title>', title)?.title,
  },
  {
    source: 'feed',
    field: 'content of Atom',
    encode: (text) => escaped(asHtml(text)),
    store: (content) => atomEntry('<content type="html">%</content>', content)?.text,
  },
  {
    source: 'feed',
    field: 'title of RSS',
    encode: (text) => escaped(escaped(text)),
    store: (title) => rssItem('<title>%</title>', title)?.title,
  },
  {
    source: 'feed',
    field: 'description of RSS',
    encode: (text) => `<![CDATA[${asHtml(text)}]]>`,
    store: (text) => rssItem('<description>%</description>', text)?.text,
  },
  {
    source: 'feed',
    field: 'content_text of JSON Feed',
    encode: asTyped,
    store: (text) =>
      entry(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items: [{ content_text: text }] }))
        ?.text,
  },
];

/** What authors type; all of it must be stored as typed. */
const TYPED = [
  'a & b < c > d',
  '<b>bold</b> and </p>',
  '&lt;b&gt; &amp;nbsp; &amp;amp; &#x27; &copy',
  `"double" 'single' 1/2`,
  'https://example.org/?a=1&copy=2&lt=3',
  'ünïcödé \u{1f600} \u4f60\u597d',
];

describe.each(TEXTS)('$source: $field', ({ encode, store }) => {
  it.each(TYPED)('is stored as its author typed it: %s', (typed) => {
    expect(store(encode(typed))).toBe(typed);
  });
});

describe('the table of texts', () => {
  it('has the texts of every source', () => {
    expect([...new Set(TEXTS.map(({ source }) => source))].sort()).toEqual(
      SOURCES.all.map(({ source }) => source).sort(),
    );
  });
});
