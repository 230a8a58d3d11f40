import { storyKeys } from '../../../src/alerts/stories/story-keys.js';
import { TextAnalyzer } from '../../../src/enrichment/analyzer.js';
import { linksIn } from '../../../src/enrichment/plugins/built-in/link-extractor.js';
import { fingerprint } from '../../../src/enrichment/plugins/built-in/deduplicator.js';
import { answerText } from '../../../src/operate/mcp/tool-answer.js';
import { titleOf } from '../../../src/platforms/http/first-line.js';
import { parseJson } from '../../../src/platforms/http/json-numbers.js';
import { plainText } from '../../../src/platforms/http/plain-text.js';
import { visibleText } from '../../../src/platforms/http/response-parsing.js';
import { parseRobots } from '../../../src/platforms/sites/robots.js';
import { highlightsIn } from '../../../src/search/highlights.js';
import { QueryMatcher } from '../../../src/search/matching/query-matcher.js';
import { correctableWords, correctedTrees } from '../../../src/search/query/corrections.js';
import { explainQuery } from '../../../src/search/query/explain.js';
import { parseQuery } from '../../../src/search/query/parse-query.js';
import { conditionOfText } from '../../../src/search/query/ranked-slots.js';
import { CsvEncoder } from '../../../src/takeout/exports/formats/csv-encoder.js';
import { replaceNames } from '../../../src/takeout/exports/names-in-text.js';
import { feedDocument } from '../../../src/takeout/feeds/feed-documents.js';
import { detectLanguage } from '../../../src/text/language/detect-language.js';
import { searchValue } from '../../../src/text/search-value.js';

/** A function that reads what strangers write. */
export interface WorstFunction {
  name: string;
  /** Length of the longest text that it is given, in UTF-16 code units. */
  longest: number;
  /** Work on a text, or on a text and a query. What it returns is ready before the time is taken. */
  prepare: (text: string, query: string) => (() => unknown) | Promise<() => unknown>;
  /** Whether its work differs by query. */
  hasQuery?: true;
}

/** Lengths of a post, of a page or an answer of a platform, and of a query. */
const POST = 40_000;
const PAGE = 200_000;
const QUERY = 4_000;

const analyzer = TextAnalyzer.load();
const VOCABULARY = Array.from({ length: 2_000 }, (_, n) => ({ lexeme: `word${n}`, rows: n }));
const recordOf = (text: string) => ({
  texts: { title: '', text },
  language: detectLanguage(text),
  values: {},
  numbers: {},
  flags: {},
});
const nothing = (): void => undefined;

/** Every function that holds the event loop over texts of strangers or queries; a new one joins by a line. */
export const WORST_FUNCTIONS: readonly WorstFunction[] = [
  { name: 'search value', longest: POST, prepare: (text) => () => searchValue({ title: '', text }) },
  { name: 'language', longest: POST, prepare: (text) => () => detectLanguage(text) },
  { name: 'sentiment and keywords', longest: POST, prepare: (text) => () => analyzer.analyzePost('', text) },
  {
    name: 'story keys',
    longest: POST,
    prepare: (text) => () => storyKeys({ title: '', text, links: [text] }),
  },
  { name: 'fingerprint', longest: POST, prepare: (text) => () => fingerprint(text) },
  { name: 'links in a text', longest: POST, prepare: (text) => () => linksIn(text) },
  { name: 'pseudonyms', longest: POST, prepare: (text) => () => replaceNames(text, () => 'anon-1') },
  { name: 'title of a text', longest: POST, prepare: (text) => () => titleOf(text) },
  { name: 'text of a platform', longest: POST, prepare: (text) => () => visibleText(text, POST) },
  { name: 'plain text of HTML', longest: PAGE, prepare: (text) => () => plainText(text, POST) },
  {
    name: 'robots.txt',
    longest: PAGE,
    prepare: (text) => () => parseRobots(`User-agent: *\n${text}`, 'x').allows(text),
  },
  { name: 'JSON of a platform', longest: PAGE, prepare: (text) => () => quietly(() => parseJson(text)) },
  {
    name: 'JSON string of a platform',
    longest: PAGE,
    prepare: (text) => {
      const json = JSON.stringify({ text });
      return () => parseJson(json);
    },
  },
  {
    name: 'CSV',
    longest: POST,
    prepare: (text) => () => new CsvEncoder(['text']).write([[text]]),
  },
  {
    name: 'feed',
    longest: POST,
    prepare: (text) => {
      const item = { id: '1', url: '/', title: text, text, author: text, date: new Date(0), tags: [] };
      const head = { title: text, url: '/', self: '/', updated: new Date(0) };
      return () => feedDocument('atom', head as never, [item as never]);
    },
  },
  {
    name: 'answer to an assistant',
    longest: POST,
    prepare: (text) => () => answerText({ text }, { cut: true, from: 0, cursorAt: String }),
  },
  {
    name: 'explanation of a query',
    longest: QUERY,
    prepare: (text) => () => explainQuery(text, () => false),
  },
  {
    name: 'did you mean',
    longest: QUERY,
    prepare: (text) => {
      const { tree } = parseQuery(text);
      return () => tree && correctedTrees(tree, correctableWords(tree), VOCABULARY);
    },
  },
  {
    name: 'highlights',
    longest: POST,
    hasQuery: true,
    prepare: (text, query) => {
      const condition = conditionOfText(query);
      return () => highlightsIn({ text }, condition);
    },
  },
  {
    name: 'alerts',
    longest: POST,
    hasQuery: true,
    prepare: async (text, query) => {
      const matcher = await QueryMatcher.compile([conditionOfText(query)]);
      const record = recordOf(text);
      return () => matcher.match(record, nothing);
    },
  },
];

/** Does work that may refuse its input. */
function quietly(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return null;
  }
}
