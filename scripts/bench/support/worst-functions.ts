import { AlertMatcher } from '../../../src/alerts/matching/alert-matcher.js';
import { similarRecords } from '../../../src/alerts/stories/fold-stories.js';
import { normalLink } from '../../../src/content/stories/normal-link.js';
import { storyKeys } from '../../../src/content/stories/story-keys.js';
import { parseSite } from '../../../src/common/site-names.js';
import { parseLabels } from '../../../src/content/labels/label-csv.js';
import { TextAnalyzer } from '../../../src/enrichment/analyzer.js';
import { LocalHooks } from '../../../src/enrichment/plugins/plugin-hooks.js';
import { PluginRegistry } from '../../../src/enrichment/plugins/plugin-registry.js';
import { decodeCursor } from '../../../src/http/pages/cursor.js';
import { bodyErrors, hasTooManyCommas } from '../../../src/http/parameters/input-hygiene.js';
import { refuseUrl } from '../../../src/infrastructure/outbound-http/url-guard.js';
import { signingHeaders } from '../../../src/infrastructure/signing/signing.js';
import { CHANNELS } from '../../../src/messages/channels/channels.js';
import type { ChatDefinition } from '../../../src/messages/channels/chat-channel.js';
import { renderEmail } from '../../../src/messages/channels/email-message.js';
import { tokensOf } from '../../../src/operate/mcp/answer-parts.js';
import { answerText } from '../../../src/operate/mcp/tool-answer.js';
import {
  mapComment as mapReply,
  mapPost as mapStory,
} from '../../../src/platforms/hackernews/hackernews-items.js';
import { titleOf } from '../../../src/platforms/http/first-line.js';
import { parseJson } from '../../../src/platforms/http/json-numbers.js';
import { nextQuery } from '../../../src/platforms/http/link-header.js';
import { plainText } from '../../../src/platforms/http/plain-text.js';
import { classifyPlatformResponse } from '../../../src/platforms/http/response-class.js';
import { unescaped, visibleName } from '../../../src/platforms/http/response-parsing.js';
import { readDumpRow } from '../../../src/platforms/reddit/archive/dump-rows.js';
import { refusal } from '../../../src/platforms/reddit/refusals.js';
import { SOURCES } from '../../../src/platforms/registry.js';
import { parseRobots } from '../../../src/platforms/sites/robots.js';
import { highlightsIn } from '../../../src/search/highlights.js';
import { QueryMatcher } from '../../../src/search/matching/query-matcher.js';
import { correctableWords, correctedTrees } from '../../../src/search/query/corrections.js';
import { explainQuery } from '../../../src/search/query/explain.js';
import { parseQuery } from '../../../src/search/query/parse-query.js';
import { conditionOfText } from '../../../src/search/query/ranked-slots.js';
import { EXPORT_FORMATS } from '../../../src/takeout/exports/formats/export-formats.js';
import { EXPORTED_TABLES } from '../../../src/takeout/exports/exported-table.js';
import { collectNames, replaceNames, wordsOfNames } from '../../../src/takeout/exports/names-in-text.js';
import { FEED_FORMS, feedDocument, type FeedForm } from '../../../src/takeout/feeds/feed-documents.js';
import { detectLanguage } from '../../../src/text/language/detect-language.js';
import { searchValue } from '../../../src/text/search-value.js';
import { WORST_QUERIES } from './worst-queries.js';
import {
  commentOf,
  exportedOf,
  feedHeadOf,
  feedItemOf,
  notificationOf,
  postOf,
  REPLY,
  rowOf,
  storyOf,
} from './worst-records.js';

type Work = () => unknown;

/** A function that reads what strangers or tenants write. */
export interface WorstFunction {
  name: string;
  /** Length of the longest text that it is given, in UTF-16 code units. */
  longest: number;
  /** Work on a text. What it returns is ready before the time is taken; its promise ends after the last time slice. */
  prepare: (text: string) => Work | Promise<Work>;
}

/** Lengths of a post, of a page or an answer of a platform, of a query, and of an address or a header. */
const POST = 40_000;
const PAGE = 200_000;
const QUERY = 4_000;
const ADDRESS = 8_000;

const analyzer = TextAnalyzer.load();
const plugins = new PluginRegistry();
const pluginNames = plugins.list().map(({ name }) => name);
const nothing = (): void => undefined;
const cursorAt = { cut: true, from: 0, cursorAt: String };
const recordOf = (text: string) => ({
  texts: { title: '', text },
  ...{ language: detectLanguage(text), values: {}, numbers: {}, flags: {} },
});

/** Functions by the length of their text. A new one joins by a line. */
const OF_POSTS: Record<string, (text: string) => Work | Promise<Work>> = {
  'search value': (text) => () => searchValue({ title: '', text }),
  language: (text) => () => detectLanguage(text),
  'sentiment and keywords': (text) => () => [analyzer.analyzePost(text, text), analyzer.scoreComment(text)],
  'story keys': (text) => () => storyKeys({ title: text, text, links: [text] }),
  pseudonyms: (text) => () => replaceNames(text, (name) => (name === '0' ? 'X' : null)),
  'names to keep out of keywords': (text) => () => {
    const names = new Set<string>();
    collectNames(text, names);
    return wordsOfNames(names);
  },
  'title of a text': (text) => () => titleOf(text),
  'name of an account': (text) => () => visibleName(text),
  'entities of a platform': (text) => () => unescaped({ text }),
  'plain text of HTML': (text) => () => plainText(text, POST),
  'mapper of Reddit': (text) => () => [postOf(text), commentOf(text)],
  'mapper of Hacker News': (text) => () => [
    mapStory(storyOf(text)),
    mapReply({ id: 1, text, author: text }, REPLY),
  ],
  'reader of dumps': (text) => {
    const line = JSON.stringify(rowOf(text));
    return () => readDumpRow(line);
  },
  'refusals of a platform': (text) => () => refusal({ kind: 'forum', name: 'a' }, 403, { message: text }),
  'answer to an assistant': (text) => {
    const records = { posts: [postOf(text)], comments: [{ body: text }] };
    return () => tokensOf(answerText(records, cursorAt).text);
  },
  email: (text) => {
    const notification = notificationOf(text);
    return () => renderEmail(notification);
  },
  'signature of a webhook': (text) => {
    const body = JSON.stringify(notificationOf(text));
    return () => signingHeaders({ id: 'delivery', timestamp: new Date(0), body }, ['secret']);
  },
  ...Object.fromEntries(
    pluginNames.map((name) => [`plugin ${name}`, (text: string) => pluginWork(name, text)]),
  ),
  ...Object.fromEntries(
    CHANNELS.all
      .filter((channel): channel is ChatDefinition => 'formatOf' in channel)
      .map(({ name, formatOf }) => [
        `channel ${name}`,
        (text: string) => {
          const notification = notificationOf(text);
          return () => formatOf(new URL('https://chat.example')).render(notification, { chat_id: '1' });
        },
      ]),
  ),
  ...Object.fromEntries(
    Object.keys(FEED_FORMS).map((form) => [
      `feed as ${form}`,
      (text: string) => {
        const items = Array.from({ length: 5 }, () => feedItemOf(text));
        const head = feedHeadOf(text);
        return () => feedDocument(form as FeedForm, head, items);
      },
    ]),
  ),
  ...Object.fromEntries(
    EXPORT_FORMATS.all.map(({ name, createEncoder }) => [
      `export as ${name}`,
      (text: string) => {
        const row = exportedOf(text);
        return () => {
          const encoder = createEncoder(EXPORTED_TABLES.posts, {});
          return [encoder.write([row]), encoder.end()];
        };
      },
    ]),
  ),
  ...Object.fromEntries(
    WORST_QUERIES.map(({ name, q }) => [
      `highlights, ${name}`,
      (text: string) => {
        const condition = conditionOfText(q);
        return () => highlightsIn({ title: '', text }, condition);
      },
    ]),
  ),
  ...Object.fromEntries(
    WORST_QUERIES.map(({ name, q }) => [
      `alerts, ${name}`,
      async (text: string) => {
        const matcher = await QueryMatcher.compile([conditionOfText(q)]);
        const record = recordOf(text);
        return () => matcher.match(record, nothing);
      },
    ]),
  ),
  'alerts of a workspace': async (text) => {
    const matcher = await MANY_ALERTS();
    const record = recordOf(text);
    return () => matcher.match(record);
  },
  'reposts of a batch': (text) => {
    const keys = storyKeys({ title: '', text, links: [] });
    const records = new Map(Array.from({ length: 1_000 }, (_, n) => [String(n), keys]));
    return () => similarRecords(records, []);
  },
};

const OF_PAGES: typeof OF_POSTS = {
  'robots.txt': (text) => {
    const rules = text.match(/.{1,250}/gsu)!.map((part) => `Disallow: /*${part}\n`);
    const [file, path] = [`User-agent: *\n${text}\n${rules.join('')}`, `/${text}`];
    return () => parseRobots(file, 'service').allows(path);
  },
  'JSON of a platform': (text) => () => quietly(() => parseJson(text)),
  'JSON text of a platform': (text) => {
    const json = JSON.stringify({ text });
    return () => parseJson(json);
  },
  'body of a request': (text) => {
    const bytes = Buffer.from(text);
    return () => [hasTooManyCommas(bytes), bodyErrors({ [text]: [text] })];
  },
  'labels of a table': (text) => {
    const table = `id,label\n${text}`;
    return () => parseLabels(table);
  },
  'classes of responses': (text) => {
    const bodies = [text, `<${text}`, `<html>${text}`, `<h1${text}`, `<script>${text}`];
    return () =>
      bodies.map((body) =>
        classifyPlatformResponse({ status: 403, text: body, headers: { location: null } } as never, 0),
      );
  },
};

const OF_QUERIES: typeof OF_POSTS = {
  query: (text) => () => parseQuery(text),
  'explanation of a query': (text) => () => explainQuery(text, () => false),
  'condition of a query': (text) => () => conditionOfText(text),
  'compiled query': (text) => () => QueryMatcher.compile([conditionOfText(text)]),
  'did you mean': (text) => {
    const { tree } = parseQuery(`${text.slice(0, QUERY - 200)} ${MISSPELT.join(' ')}`);
    return () => tree && correctedTrees(tree, correctableWords(tree), VOCABULARY);
  },
};

const OF_ADDRESSES: typeof OF_POSTS = {
  'name of a forum': (text) => () => quietly(() => SOURCES.nameOf({ type: 'forum', name: text })),
  'link of a story': (text) => () => normalLink(text),
  'address of a webhook': (text) => () => refuseUrl(text, []),
  'name of a site': (text) => () => parseSite(text),
  'Link header': (text) => () => nextQuery(text),
  cursor: (text) => () => quietly(() => decodeCursor(text, [])),
};

/** Every function that holds the event loop over texts of strangers and queries of tenants. */
export const WORST_FUNCTIONS: readonly WorstFunction[] = [
  ...listed(OF_POSTS, POST),
  ...listed(OF_PAGES, PAGE),
  ...listed(OF_QUERIES, QUERY),
  ...listed(OF_ADDRESSES, ADDRESS),
];

function listed(all: typeof OF_POSTS, longest: number): WorstFunction[] {
  return Object.entries(all).map(([name, prepare]) => ({ name, longest, prepare }));
}

/** Words that are long and differ in their ends, so that comparing them takes longest. */
const long = (end: string): string => 'a'.repeat(40 - end.length) + end;
const VOCABULARY = Array.from({ length: 2_000 }, (_, n) => ({ lexeme: long(n.toString(36)), rows: 1 }));
const MISSPELT = ['zzé', 'zzö', 'zzü', 'zzå'].map(long);

function pluginWork(name: string, text: string): Work {
  const [plugin] = plugins.pick([name]);
  const hooks = new LocalHooks([plugin!], { workspaceId: 'w', jobId: 'j', target: 'a' });
  const hook = plugin!.onPosts === undefined ? 'onComments' : 'onPosts';
  const record = hook === 'onPosts' ? postOf(text) : commentOf(text);
  return () => hooks.call(name, hook, [{ record, annotations: {} }]);
}

let manyAlerts: Promise<AlertMatcher> | null = null;
/** Alerts with as many keywords as each may have: phrases of two words. */
const MANY_ALERTS = (): Promise<AlertMatcher> =>
  (manyAlerts ??= AlertMatcher.compile(
    Array.from({ length: 5 }, (_, alert) => ({
      id: String(alert),
      forums: [],
      keywords: Array.from({ length: 100 }, (__, n) => phraseOf(alert * 100 + n)),
    })),
  ));

/** A phrase of sixty words `ab` and `ba`, by its number. */
const phraseOf = (number: number): string =>
  Array.from({ length: 60 }, (_, at) => ((number >> (at % 16)) & 1 ? 'ab' : 'ba')).join(' ');

/** Does work that may refuse its input. */
function quietly(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return null;
  }
}
