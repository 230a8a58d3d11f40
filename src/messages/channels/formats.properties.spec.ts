import fc from 'fast-check';
import type { AlertNotification, NotifiedPost } from './channel.js';
import { renderDiscord } from './discord.js';
import { renderEmail } from './email-message.js';
import { renderSlack } from './slack.js';
import { escapeHtml } from './message-text.js';
import { renderTelegram } from './telegram.js';

const ORIGIN = 'https://www.reddit.com/';
/** Fragments of mentions, links, tags, entities and broken characters. */
const piece = fc.constantFrom(
  ...[
    '@everyone',
    '@here',
    '<@U1>',
    '<!channel>',
    '<#C1>',
    '[x](https://evil.example)',
    '`',
    '**',
    '||',
    '\\',
  ],
  ...[
    '<b>',
    '</a>',
    '"',
    "'",
    '&',
    '&amp',
    ';',
    '\r\n',
    '\u2028',
    '\u0000',
    '\u202e',
    '🚀',
    'é',
    'word',
    ' ',
  ],
);
const text = (longest: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.array(piece, { maxLength: 400 }).map((pieces) => [...pieces.join('')].slice(0, longest).join('')),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
  );
/** Every second text marked, as search writes highlights. */
const highlighted = (texts: string[]): string =>
  texts.map((one, index) => (index % 2 === 0 ? escapeHtml(one) : `<mark>${escapeHtml(one)}</mark>`)).join('');
const post: fc.Arbitrary<NotifiedPost> = fc.record({
  id: fc.constant('t3_abc'),
  title: text(300),
  forum: text(255),
  author: text(64),
  permalink: fc.oneof(
    fc.constant('/r/technology/comments/abc/a_title/'),
    text(3_000).map((tail) => `/r/technology/comments/abc/${tail}`),
  ),
  selftext: text(1_000),
  numComments: fc.nat(1_000_000),
  sentiment: fc.constantFrom('positive', 'neutral', 'negative'),
  highlights: fc.record(
    {
      title: fc.array(text(60), { maxLength: 3 }).map(highlighted),
      selftext: fc.array(text(90), { maxLength: 3 }).map(highlighted),
    },
    { requiredKeys: [] },
  ),
});
const notification: fc.Arbitrary<AlertNotification> = fc
  .record({
    alertName: text(255),
    keywords: fc.array(text(100), { maxLength: 100 }),
    posts: fc.array(post, { minLength: 1, maxLength: 12 }),
    more: fc.nat(1_000),
  })
  .map(({ more, ...rest }) => ({
    id: 'evt_1',
    deliveryId: 'delivery_1',
    eventBody: '{}',
    workspaceId: 'a',
    alertId: 'alert_1',
    ...rest,
    totalPosts: rest.posts.length + more,
    totalComments: 0,
  }));
const holds = (property: (notification: AlertNotification) => void): void =>
  fc.assert(fc.property(notification, property), { numRuns: 300, seed: 6 });

const isWholeLink = (link: string): boolean =>
  URL.canParse(link) && link.startsWith(ORIGIN) && link.length <= 2_048;
const unsafe = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

describe('notifications of any alert', () => {
  it('are messages that Discord accepts, without mentions and markup', () => {
    holds((given) => {
      const { content, embeds, allowed_mentions } = renderDiscord(given);
      expect(allowed_mentions).toEqual({ parse: [] });
      expect(content.length).toBeLessThanOrEqual(2_000);
      expect(embeds.length).toBeLessThanOrEqual(10);
      expect(embeds.length).toBeGreaterThan(0);
      let texts = 0;
      for (const { title, url, description, footer } of embeds) {
        expect(isWholeLink(url)).toBe(true);
        expect(title.length).toBeGreaterThan(0);
        expect(title.length).toBeLessThanOrEqual(256);
        expect(footer.text.length).toBeLessThanOrEqual(2_048);
        texts += title.length + description.length + footer.text.length;
        for (const shown of [title, description]) {
          const plain = shown.replace(/\\[^\p{L}\p{N}\s]/gu, '');
          expect(plain.replace(/__|\*\*/g, '')).not.toMatch(/[*_~`|<>[\]@\\]/);
          expect((plain.match(/__|\*\*/g) ?? []).length % 2).toBe(0);
          expect(shown).not.toMatch(unsafe);
        }
      }
      expect(texts).toBeLessThanOrEqual(6_000);
      expect(content + JSON.stringify(embeds)).not.toMatch(/\p{Cs}/u);
    });
  });

  it('are messages that Slack accepts, with a link to each post', () => {
    holds((given) => {
      const { text: summary, blocks } = renderSlack(given);
      expect(summary).not.toMatch(/[<>]/);
      expect(summary.length).toBeLessThanOrEqual(4_000);
      expect(blocks.length).toBeLessThanOrEqual(50);
      for (const block of blocks) {
        if (block.type !== 'rich_text') {
          expect(block.text.text.length).toBeLessThanOrEqual(block.type === 'header' ? 150 : 3_000);
          expect(block.text.text.length).toBeGreaterThan(0);
          expect(block.text.text).not.toMatch(unsafe);
          continue;
        }
        const pieces = block.elements[0].elements;
        expect(pieces.reduce((sum, { text: { length } }) => sum + length, 0)).toBeLessThanOrEqual(1_000);
        for (const piece of pieces) {
          expect(piece.text.length).toBeGreaterThan(0);
          expect(piece.text.replace(/^\n/, '')).not.toMatch(unsafe);
          if (piece.type === 'link') expect(isWholeLink(piece.url)).toBe(true);
        }
      }
    });
  });

  it('are HTML that Telegram accepts, without mentions', () => {
    holds((given) => {
      const { text: shown } = renderTelegram(given, {});
      expect(shown.length).toBeLessThanOrEqual(4_096);
      const links = [...shown.matchAll(/<a href="([^"]*)">(?:[^<]|<\/?b>)+<\/a>/g)];
      expect(links.length).toBeGreaterThan(0);
      for (const [, href] of links) expect(isWholeLink(href!.replaceAll('&amp;', '&'))).toBe(true);
      const rest = shown.replace(/<b>([^<]*)<\/b>/g, '$1').replace(/<a href="[^"]*">([^<]+)<\/a>/g, '$1');
      expect(rest).not.toMatch(/[<>"]|&(?!(amp|lt|gt|quot);)/);
      expect(rest).not.toMatch(/@\w/);
      expect(rest.replaceAll('\n', ' ')).not.toMatch(unsafe);
    });
  });

  it('are e-mails with a one-line subject, complete links, and only our own tags', () => {
    holds((given) => {
      const { subject, text: plain, html } = renderEmail(given);
      expect(subject.length).toBeLessThanOrEqual(150);
      expect(subject).not.toMatch(unsafe);
      const hrefs = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) =>
        href!.replaceAll('&amp;', '&'),
      );
      expect(hrefs.length).toBe(Math.min(10, given.posts.length));
      for (const href of hrefs) {
        expect(isWholeLink(href)).toBe(true);
        expect(plain.split('\n')).toContain(href);
      }
      const tags = [...html.matchAll(/<(?!a href=)([^>]*)>/g)].map(([, tag]) => tag);
      const own =
        /^(!doctype html|(\/?(html|head|body|h1|p|div|a|b)|meta( (charset|name|content)="[^"<>]*")+)( style="[^"<>]*")?)$/;
      expect(tags.filter((tag) => !own.test(tag!))).toEqual([]);
    });
  });
});
