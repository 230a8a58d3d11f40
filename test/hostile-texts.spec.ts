import { TextAnalyzer } from '../src/enrichment/analyzer.js';
import { LocalHooks } from '../src/enrichment/plugins/plugin-hooks.js';
import { PluginRegistry } from '../src/enrichment/plugins/plugin-registry.js';
import { EXPORTED_TABLES, type ExportedValue } from '../src/takeout/exports/exported-table.js';
import { highlightsOf } from '../src/search/highlights.js';
import { MAX_QUERY_LENGTH, parseQuery } from '../src/search/query/parse-query.js';
import { replaceNames } from '../src/takeout/exports/names-in-text.js';
import { EXPORT_FORMATS } from '../src/takeout/exports/formats/export-formats.js';
import { CHANNELS } from '../src/messages/channels/channels.js';
import type { ChatDefinition } from '../src/messages/channels/chat-channel.js';
import { tokensOf } from '../src/operate/mcp/answer-parts.js';
import { answerText } from '../src/operate/mcp/tool-answer.js';
import { AlertMatcher } from '../src/alerts/matching/alert-matcher.js';
import { recordOf } from '../src/alerts/matching/alertable-record.js';
import { signingHeaders } from '../src/infrastructure/signing/signing.js';
import { FEED_FORMS, feedDocument, type FeedForm } from '../src/takeout/feeds/feed-documents.js';
import { renderEmail } from '../src/messages/channels/email-message.js';
import { mapPost as mapStory, mapComment as mapReply } from '../src/platforms/hackernews/hackernews-items.js';
import { readDumpRow } from '../src/platforms/reddit/archive/dump-rows.js';
import { classifyPlatformResponse } from '../src/platforms/http/response-class.js';
import type { PlatformComment, PlatformPost } from '../src/platforms/platform.js';
import { mapComment, mapPost } from '../src/platforms/reddit/mapper.js';
import { HOSTILE_TEXTS, steepText } from './support/hostile-texts.js';
import { refusal } from '../src/platforms/reddit/refusals.js';

const CREATED = 1_700_000_000;
const TREE = { post: { id: 't3_a', forum: 'a', permalink: '/r/a/comments/a/t/' }, depth: 0 };
const CONTEXT = { ...TREE, postAuthor: null, postCreatedUtc: null };

const row = (text: string) => ({
  ...{ name: 't3_a', created_utc: CREATED, title: text, selftext: text, author: text, subreddit: text },
  ...{ link_flair_text: text, url: text.slice(0, 8_000), permalink: text.slice(0, 8_000) },
});
const postOf = (text: string): PlatformPost => ({ ...mapPost(row(text))!, postType: 'link' });
const commentOf = (text: string): PlatformComment =>
  mapComment({ name: 't1_a', created_utc: CREATED, body: text, author: text }, CONTEXT)!;
/** The texts are mapped once, since mapping is measured by itself. */
function once<T>(map: (text: string) => T): (text: string) => T {
  const mapped = new Map<string, T>();
  return (text) => {
    if (!mapped.has(text)) mapped.set(text, map(text));
    return mapped.get(text)!;
  };
}
const mappedPost = once(postOf);
const mappedComment = once(commentOf);

const analyzer = TextAnalyzer.load();
const registry = new PluginRegistry();
const names = registry.list().map(({ name }) => name);
const local = new LocalHooks(registry.pick(names), { workspaceId: 'w', jobId: 'j', target: 'a' });

async function plugin(name: string, text: string): Promise<void> {
  const [called] = registry.pick([name]);
  if (called?.onPosts) await local.call(name, 'onPosts', [{ record: mappedPost(text), annotations: {} }]);
  if (called?.onComments)
    await local.call(name, 'onComments', [{ record: mappedComment(text), annotations: {} }]);
}

const notification = (text: string) => ({
  ...{
    workspaceId: 'w',
    id: 'evt_1',
    deliveryId: 'delivery',
    eventBody: '{}',
    alertId: 'a',
    alertName: text.slice(0, 255),
    totalPosts: 12,
    totalComments: 0,
  },
  keywords: Array.from({ length: 12 }, () => text.slice(0, 100)),
  posts: Array.from({ length: 12 }, () => mappedPost(text)),
});

/** A row with a text as its body and, cut as sources cut them, in its other fields. */
const exported = (text: string): ExportedValue[] =>
  EXPORTED_TABLES.posts.fields.map(({ name, type, isArray }) => {
    const value = name === 'selftext' ? text : text.slice(0, 1_000);
    if (isArray) return [value, value];
    if (type.startsWith('timestamp')) return new Date(0);
    if (type === 'boolean') return false;
    return /int|double|real|numeric|float/.test(type) ? 1 : value;
  });

const FEED = {
  workspaceId: 'w',
  searchId: 's',
  title: 'All',
  url: 'https://a.example/f',
  site: 'https://a.example/',
};
const feedItem = (text: string) => ({
  ...{ id: 't3_a', title: text, body: text, author: text, forum: text },
  ...{ createdUtc: new Date(0), link: 'https://a.example/' },
});

const WORK: Record<string, (text: string) => unknown> = {
  'the mapper of Reddit': (text) => [postOf(text), commentOf(text)],
  'the mapper of Hacker News': (text) => [
    mapStory({
      objectID: '1',
      created_at_i: CREATED,
      title: text,
      story_text: text,
      author: text,
      url: text,
    }),
    mapReply(
      { id: 1, text, author: text },
      {
        ...{ ...TREE, postAuthor: null, postCreatedUtc: new Date(0), parentId: 'hn_1' },
      },
    ),
  ],
  'the reader of dumps': (text) => readDumpRow(JSON.stringify(row(text))),
  'the classes of responses': (text) =>
    [text, `<${text}`, `<html>${text}`, `<h1${text}`, `<script>${text}`].map((body) =>
      classifyPlatformResponse({ status: 403, text: body, headers: { location: null } } as never, 0),
    ),
  'the refusals': (text) => refusal({ kind: 'forum', name: 'a' }, 403, { message: text }),
  'the analyzer': (text) => [analyzer.analyzePost(text, text), analyzer.scoreComment(text)],
  ...Object.fromEntries(names.map((name) => [`the plugin ${name}`, (text: string) => plugin(name, text)])),
  ...Object.fromEntries(
    CHANNELS.all
      .filter((channel): channel is ChatDefinition => 'formatOf' in channel)
      .map(({ name, formatOf }) => [
        `the channel ${name}`,
        (text: string) =>
          formatOf(new URL('https://chat.example')).render(notification(text), { chat_id: '1' }),
      ]),
  ),
  'the highlights in the views of the dashboard': (text) =>
    highlightsOf({ highlight_title: text, highlight_selftext: text }, ['title', 'selftext'], 'a* "a a" 0'),
  'the query of a view': (text) => parseQuery(text.slice(0, MAX_QUERY_LENGTH)),
  'the matcher of alerts': async (text) => {
    const matcher = await AlertMatcher.compile([{ id: 'a', keywords: ['a', 'a a', '0'], forums: [] }]);
    matcher.match(recordOf({ ...mappedPost(text), id: 't3_a' }));
  },
  'the channel email': (text) => renderEmail(notification(text)),
  'the channel webhook': (text) =>
    signingHeaders({ id: 'delivery', timestamp: new Date(0), body: JSON.stringify(notification(text)) }, [
      'secret',
    ]),
  ...Object.fromEntries(
    Object.keys(FEED_FORMS).map((form) => [
      `the feed as ${form}`,
      (text: string) =>
        feedDocument(
          form as FeedForm,
          FEED,
          Array.from({ length: 5 }, () => feedItem(text)),
        ),
    ]),
  ),
  'the answers to assistants': (text) =>
    tokensOf(
      answerText(
        { posts: [postOf(text)], comments: [{ body: text }] },
        { cut: false, from: 0, cursorAt: String },
      ).text,
    ),
  'the names in texts': (text) => replaceNames(text, (name) => (name === '0' ? 'X' : null)),
  ...Object.fromEntries(
    EXPORT_FORMATS.all.map(({ name, createEncoder }) => [
      `the export as ${name}`,
      (text: string) => {
        const encoder = createEncoder(EXPORTED_TABLES.posts, {});
        return [encoder.write([exported(text)]), encoder.end()];
      },
    ]),
  ),
};

describe('hostile texts', () => {
  it('are at least forty', () => expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(40));

  // Hostile answers of platforms have a test of their own, by the definitions of sources.
  it('go through every plugin, channel, export and feed', () => {
    const kinds = [
      ...names.map((name) => `the plugin ${name}`),
      ...CHANNELS.names.map((name) => `the channel ${name}`),
      ...EXPORT_FORMATS.names.map((name) => `the export as ${name}`),
    ];
    expect(kinds.filter((kind) => WORK[kind] === undefined)).toEqual([]);
  });

  it.each(Object.keys(WORK))('cost %s in proportion to their length', async (kind) => {
    expect(await steepText(WORK[kind]!)).toBeNull();
  });
});
