import { spawnSync } from 'node:child_process';
import { decodedText } from '../src/platforms/feed/feed-encoding.js';
import { namedEntries } from '../src/platforms/feed/feed-posts.js';
import type { KeptFeed } from '../src/platforms/feed/kept-feeds.js';
import { readFeed } from '../src/platforms/feed/read-feed.js';
import { skipUnless } from './support/skip-unless.js';
import { type WildFeed, wildFeeds } from './support/wild-feeds.js';

const ADDRESS = 'https://blog.example/a/feed.xml';
const FEEDS = wildFeeds(61, 500);
const MARK = /mark\d+q\d+x/g;

/** Reads documents, one a line, with feedparser (Debian: python3-feedparser); prints the entries of each as JSON. */
const FEEDPARSER = `
import base64, json, sys, feedparser
for line in sys.stdin:
    one = json.loads(line)
    headers = {'content-type': one['type'], 'content-location': '${ADDRESS}'}
    entries = feedparser.parse(base64.b64decode(one['body']), response_headers=headers).entries
    print(json.dumps([json.dumps(entry, default=str) for entry in entries]))
`;
const hasFeedparser = spawnSync('python3', ['-c', 'import feedparser']).status === 0;

const marksOf = (text: string): string[] => [...new Set(text.match(MARK))].sort();

/** The marks of the entries that become posts. */
function foundIn({ body, contentType }: WildFeed): string[] {
  const content = readFeed(decodedText(body, contentType), ADDRESS);
  if (content === null) return [];
  const kept = { address: ADDRESS, content } as KeptFeed;
  return marksOf(JSON.stringify(namedEntries(kept, 'blog.example', ADDRESS)));
}

describe('feeds as they are in the world', () => {
  it('are read, or refused, without an error', () => {
    const without = FEEDS.filter((feed) => foundIn(feed).length === 0);
    expect(without.map(({ body }) => body.toString())).toEqual([]);
  });

  it('have all entries that a JSON Feed lists', () => {
    for (const feed of FEEDS.filter(({ form }) => form === 'json'))
      expect(foundIn(feed)).toEqual(marksOf(feed.body.toString()));
  });

  skipUnless(hasFeedparser, 'Python has no feedparser').it(
    'have all entries that feedparser finds',
    () => {
      const input = FEEDS.map(({ body, contentType }) =>
        JSON.stringify({ body: body.toString('base64'), type: contentType }),
      ).join('\n');
      const { stdout, status } = spawnSync('python3', ['-c', FEEDPARSER], {
        input,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        timeout: 100_000,
      });
      expect(status).toBe(0);
      const found = stdout
        .trim()
        .split('\n')
        .map((line) => marksOf(line));
      expect(found).toHaveLength(FEEDS.length);
      const lost = FEEDS.flatMap((feed, at) => {
        const own = new Set(foundIn(feed));
        return found[at]!.some((mark) => !own.has(mark))
          ? [{ at, form: feed.form, text: feed.body.toString() }]
          : [];
      });
      expect(lost).toEqual([]);
      expect(found.flat().length).toBeGreaterThan(1_000);
    },
    120_000,
  );
});
