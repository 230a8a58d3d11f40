import { THREAD_ID } from './channel-settings.js';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { AlertNotification, NotifiedPost } from './channel.js';
import type { ChannelConfig } from './channel-config.js';
import { ChatChannel, type ChatDefinition } from './chat-channel.js';
import { DISCORD, discord, renderDiscord } from './discord.js';
import { CHAT_A, CHAT_B } from './generic-chats.js';
import { renderSlack, SLACK, slack } from './slack.js';
import { renderTelegram, TELEGRAM, telegram } from './telegram.js';
import { fitText } from './message-text.js';

const post = (extra: Partial<NotifiedPost> = {}): NotifiedPost => ({
  id: 't3_abc',
  title: 'Rust 2.0 <is> out & "about"',
  forum: 'technology',
  author: 'crab',
  permalink: '/r/technology/comments/abc/rust_20/',
  selftext: 'It is here.\nRead *all* about it.',
  ...extra,
});
const notification = (extra: Partial<AlertNotification> = {}): AlertNotification => ({
  id: 'evt_1',
  deliveryId: 'delivery_1',
  eventBody: '{}',
  workspaceId: 'a',
  alertId: 'alert_1',
  alertName: 'Languages',
  keywords: ['rust'],
  posts: [post()],
  totalPosts: 1,
  totalComments: 0,
  ...extra,
});
const LINK = 'https://www.reddit.com/r/technology/comments/abc/rust_20/';
/** Texts that try to mention users, insert links and exceed every limit. */
const hostile = (): AlertNotification =>
  notification({
    alertName: '@everyone <!channel> <@U1> [x](https://evil.example) '.repeat(20),
    keywords: Array.from({ length: 500 }, (_, i) => `<!here>|${'*_`'.repeat(60)}${i}`),
    posts: Array.from({ length: 60 }, () =>
      post({
        title: '<a href="x">🚀&'.repeat(100),
        selftext: '<!everyone> *&<>"\\ '.repeat(4_000),
        author: '@here',
      }),
    ),
    totalPosts: 75,
    totalComments: 0,
  });

const textsOfBlock = (
  block: ReturnType<typeof renderSlack>['blocks'][number],
): { type: string; length: number }[] =>
  block.type === 'rich_text'
    ? block.elements[0].elements.map(({ text }) => ({ type: block.type, length: text.length }))
    : [{ type: block.type, length: block.text.text.length }];

describe('formats', () => {
  it('are chosen by channel, and by host for Slack', () => {
    expect(CHAT_A.formatOf(new URL('https://discord.com/api/webhooks/1/x'))).toBe(discord);
    expect(CHAT_B.formatOf(new URL('https://api.telegram.org/bot1:x/sendMessage'))).toBe(telegram);
    expect(CHAT_A.formatOf(new URL('https://hooks.slack.com/services/x'))).toBe(slack);
    expect(CHAT_B.formatOf(new URL('https://hooks.slack.com/services/x'))).toBe(slack);
    expect(CHAT_B.formatOf(new URL('https://hooks.slack-gov.com/services/x'))).toBe(slack);
    expect(CHAT_A.formatOf(new URL('https://hooks.slack.com.evil.example/x'))).toBe(discord);
    const relay = new URL('https://relay.example.com/x');
    expect(DISCORD.formatOf(relay)).toBe(discord);
    expect(TELEGRAM.formatOf(relay)).toBe(telegram);
    expect(SLACK.formatOf(relay)).toBe(slack);
    expect(DISCORD.formatOf(new URL('https://hooks.slack.com/services/x'))).toBe(discord);
  });

  it('Discord: one embed with a link per post, and a count of the others', () => {
    expect(renderDiscord(notification({ totalPosts: 2 })).content).toContain('and 1 more post not shown');
    const message = renderDiscord(notification({ totalPosts: 3 }));
    expect(message.content).toBe('**Languages**: 3 posts with rust (and 2 more posts not shown)');
    expect(message.embeds).toEqual([
      {
        title: 'Rust 2.0 \\<is\\> out & "about"',
        url: LINK,
        description: 'It is here. Read \\*all\\* about it.',
        footer: { text: 'technology · crab' },
      },
    ]);
  });

  it('Discord: escapes every character that its markup could begin or end with', () => {
    const markup = [...'\\*_~`|<>[]()#@:-'];
    const [embed] = renderDiscord(notification({ posts: [post({ title: `a${markup.join('')}` })] })).embeds;
    expect(embed!.title).toBe(`a${markup.map((character) => `\\${character}`).join('')}`);
  });

  it('Discord: stays within its limits and mentions no one', () => {
    const { content, embeds, allowed_mentions } = renderDiscord(hostile());
    expect(allowed_mentions).toEqual({ parse: [] });
    expect(content.length).toBeLessThanOrEqual(2_000);
    expect(content).not.toMatch(/(?<!\\)[@[]/);
    expect(embeds.length).toBeGreaterThan(3);
    expect(embeds.length).toBeLessThanOrEqual(10);
    const lengths = embeds.map(({ title, description, footer }) => {
      expect(title.length).toBeLessThanOrEqual(256);
      expect(description.length).toBeLessThanOrEqual(4_096);
      return title.length + description.length + footer.text.length;
    });
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(6_000);
    expect(content).toContain(`and ${75 - embeds.length} more posts`);
  });

  it('Slack: links posts, escapes texts and never mentions users', () => {
    const message = renderSlack(notification());
    expect(message.blocks[2]).toEqual({
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'link', url: LINK, text: 'Rust 2.0 <is> out & "about"' },
            { type: 'text', text: '\ntechnology · crab', style: { italic: true } },
            { type: 'text', text: '\n' },
            { type: 'text', text: 'It is here. Read *all* about it.' },
          ],
        },
      ],
    });
    const busy = renderSlack(hostile());
    expect(busy.blocks.length).toBeLessThanOrEqual(50);
    expect(busy.text).not.toMatch(/<[!@#]/);
    for (const { type, length } of busy.blocks.flatMap(textsOfBlock))
      expect(length).toBeLessThanOrEqual(type === 'header' ? 150 : 3_000);
    expect(JSON.stringify(busy.blocks.at(-1))).toContain('and 65 more posts');
  });

  it.each([
    [7, 7],
    ['7', 7],
    [undefined, undefined],
    ['general', undefined],
  ])('is sent to the topic %j of its chat', (topic, sent) => {
    const config = { chat_id: 1, ...(topic !== undefined && { message_thread_id: topic }) };
    expect(renderTelegram(notification(), config).message_thread_id).toBe(sent);
    const refused = THREAD_ID.refuse(topic, () => null) !== null;
    expect(refused).toBe(sent === undefined);
  });

  it('Telegram: HTML with complete links, no preview, within 4,096 characters', () => {
    const { text, ...rest } = renderTelegram(notification(), { chat_id: 42 });
    expect(rest).toEqual({ chat_id: 42, parse_mode: 'HTML', link_preview_options: { is_disabled: true } });
    expect(text).toBe(
      `<b>Languages</b>: 1 post with rust\n\n<a href="${LINK}">Rust 2.0 &lt;is&gt; out &amp; &quot;about&quot;</a>\n` +
        'technology · crab\nIt is here. Read *all* about it.',
    );
    const long = renderTelegram(hostile(), {}).text;
    expect(long.length).toBeLessThanOrEqual(4_096);
    const links = long.match(/<a href="[^"]*">[^<]*<\/a>/g)!;
    expect(links.length).toBeGreaterThan(0);
    expect(long).toContain(`and ${75 - links.length} more posts`);
    // Apart from complete links and one pair of <b>, no tag and no partial entity remains.
    const remains = long.replace(/<a href="[^"]*">[^<]*<\/a>/g, '').replace(/<\/?b>/g, '');
    expect(remains).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot);)/);
  });

  it('cut long texts at their limits', () => {
    const long = 'x'.repeat(2_000);
    const given = notification({ alertName: long, posts: [post({ title: long, selftext: long })] });
    const [embed] = renderDiscord(given).embeds;
    expect([embed!.title.length, embed!.description.length]).toEqual([200, 96]);
    const texts = renderSlack(given).blocks.map((block) => textsOfBlock(block).map(({ length }) => length));
    expect(texts).toEqual([[150], ['1 post with rust'.length], [200, '\ntechnology · crab'.length, 1, 96]]);
    const lines = renderTelegram(given, {}).text.split('\n');
    expect(lines.map(({ length }) => length)).toEqual([
      '<b></b>: 1 post with rust'.length + 400,
      0,
      `<a href="${LINK}"></a>`.length + 200,
      'technology · crab'.length,
      96,
    ]);
  });

  it('mark the words that matched, and lead to the dashboard', () => {
    const given = notification({
      dashboard: 'https://wss.example.org',
      totalPosts: 2,
      posts: [
        post({
          numComments: 12,
          sentiment: 'negative',
          highlights: { title: '<mark>Rust</mark> 2', selftext: 'no <mark>rust*</mark> here' },
        }),
      ],
    });
    const [page, all] = [
      'https://wss.example.org/posts/t3_abc',
      'https://wss.example.org/mentions?alert=alert_1',
    ];
    const { content, embeds } = renderDiscord(given);
    expect(content).toContain(`\n[Read all matches](<${all}>)`);
    expect(embeds).toEqual([
      {
        title: '__Rust__ 2',
        url: page,
        description: 'no **rust\\*** here',
        footer: { text: 'technology · crab · 12 comments · negative' },
      },
    ]);
    expect(renderTelegram(given, {}).text).toBe(
      '<b>Languages</b>: 2 posts with rust\n\n' +
        `<a href="${page}"><b>Rust</b> 2</a>\ntechnology · crab · 12 comments · negative\nno <b>rust*</b> here\n\n` +
        `and 1 more post\n\n<a href="${all}">Read all matches</a>`,
    );
    const bold = { style: { bold: true } };
    expect(JSON.parse(JSON.stringify(renderSlack(given).blocks.slice(2)))).toMatchObject([
      {
        elements: [
          {
            elements: [
              { url: page, text: 'Rust', ...bold },
              { url: page, text: ' 2' },
              {},
              { text: '\n' },
              { text: 'no ' },
              { text: 'rust*', ...bold },
              { text: ' here' },
            ],
          },
        ],
      },
      { elements: [{ elements: [{ text: 'and 1 more post. ' }, { url: all }] }] },
    ]);
  });

  it('Discord: escapes names, and shows as many posts as 6,000 characters hold', () => {
    expect(renderDiscord(notification({ alertName: '[a]', keywords: ['@here'] })).content).toBe(
      '**\\[a\\]**: 1 post with \\@here',
    );
    const sized = (footer: number) =>
      post({ title: '*'.repeat(200), selftext: '*'.repeat(95), forum: 'f', author: 'a'.repeat(footer - 4) });
    const shown = (footers: number[]) => renderDiscord(notification({ posts: footers.map(sized) })).embeds;
    // 255 or 256 of a title, 190 of a context and the footer: ten entries of 600 fit.
    expect(shown(Array.from({ length: 10 }, () => 155))).toHaveLength(10);
    expect(shown(Array.from({ length: 10 }, () => 156))).toHaveLength(9);
  });

  it('Slack: has no previews, and no block for an absent text', () => {
    const message = renderSlack(notification({ posts: [post({ selftext: '' })] }));
    expect(message).toMatchObject({ unfurl_links: false, unfurl_media: false });
    expect(message.blocks.map((block) => textsOfBlock(block).length)).toEqual([1, 1, 2]);
  });

  it('Telegram: leaves 64 characters for the count of the remaining posts', () => {
    const render = (title: string) => {
      const posts = [
        post({ title }),
        ...Array.from({ length: 9 }, () => post({ selftext: '&'.repeat(55), author: 'a'.repeat(10) })),
      ];
      return renderTelegram(notification({ posts, totalPosts: posts.length }), {}).text;
    };
    const room = 4_096 - 64 - render('x').length;
    const links = (text: string) => text.match(/<a /g)!.length;
    expect(room).toBeLessThan(200);
    expect([links(render('x'.repeat(room + 1))), links(render('x'.repeat(room + 2)))]).toEqual([10, 9]);
  });

  it('a permalink cannot lead to another host', () => {
    for (const permalink of ['//evil.example/x', '@evil.example', '/\\evil.example', 'https://evil.example/'])
      expect(new URL(renderDiscord(notification({ posts: [post({ permalink })] })).embeds[0]!.url).host).toBe(
        'www.reddit.com',
      );
  });

  it('fitText cuts between characters and removes control characters', () => {
    expect(fitText('a\r\nb\u0000c\u2028d\u2029e', 10)).toBe('a b c d e');
    expect(fitText('🚀🚀🚀', 4)).toBe('🚀…');
    expect(fitText('&&&', 6, (text) => text.replace(/&/g, '&amp;'))).toBe('&amp;…');
    expect(fitText('abc', 3)).toBe('abc');
  });
});

describe('ChatChannel', () => {
  const client = new OutboundHttpClient(['127.0.0.0/8']);
  let seen: { url: string; headers: IncomingHttpHeaders; body: unknown }[] = [];
  let answer: (response: ServerResponse) => void;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      seen.push({ url: request.url!, headers: request.headers, body: JSON.parse(body) as unknown });
      answer(response);
    });
  });
  let base: string;
  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    client.close();
    await new Promise((closed) => server.close(closed));
  });
  beforeEach(() => (seen = []));

  const send = (channel: ChatDefinition, config: ChannelConfig) =>
    new ChatChannel(channel.formatOf, client, 5_000).send(
      notification(),
      config,
      new AbortController().signal,
    );
  const respond = (status: number, body: string, headers: Record<string, string> = {}): void => {
    answer = (response) => response.writeHead(status, headers).end(body);
  };

  it('posts JSON in the format of its channel', async () => {
    respond(204, '');
    expect(await send(CHAT_A, { webhook_url: `${base}/discord` })).toMatchObject({
      ok: true,
      responseCode: 204,
    });
    respond(200, '{"ok":true}');
    expect(await send(CHAT_B, { webhook_url: `${base}/bot1/sendMessage`, chat_id: '@here' })).toMatchObject({
      ok: true,
    });
    expect(seen.map(({ url }) => url)).toEqual(['/discord', '/bot1/sendMessage']);
    expect(seen[0]!.headers['content-type']).toBe('application/json');
    expect(seen[0]!.body).toEqual(renderDiscord(notification()));
    expect(seen[1]!.body).toEqual(renderTelegram(notification(), { chat_id: '@here' }));
  });

  it('also takes the Telegram chat from the URL, and reports when there is none', async () => {
    respond(200, '{}');
    expect((await send(CHAT_B, { webhook_url: `${base}/send?chat_id=7` })).ok).toBe(true);
    expect(seen[0]!.body).not.toHaveProperty('chat_id');
    expect(await send(CHAT_B, { webhook_url: `${base}/send` })).toMatchObject({
      ok: false,
      permanent: true,
      error: expect.stringContaining('chat_id') as string,
    });
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['chat_a', '{"message":"slow down","retry_after":1.337,"global":false}', {}, 1_337],
    ['chat_a', '{"retry_after":1.0001}', {}, 1_001],
    ['chat_a', '\ufeff{"retry_after":2}', {}, 2_000],
    ['chat_a', '{"retry_after":1.337}', { 'retry-after': '3' }, 3_000],
    ['chat_a', 'not json', { 'retry-after': '3' }, 3_000],
    ['chat_a', '{"retry_after":1e999}', {}, undefined],
    ['chat_a', '{"retry_after":604800}', {}, 86_400_000],
    ['chat_a', '{"retry_after":1e30}', {}, undefined],
    ['chat_a', '{"retry_after":-1}', {}, undefined],
    ['chat_a', '{"retry_after":"7"}', {}, undefined],
    ['chat_b', '{"ok":false,"error_code":429,"parameters":{"retry_after":31}}', {}, 31_000],
    ['chat_b', '{"parameters":{"retry_after":1.0001}}', {}, 1_001],
    ['chat_b', '{"ok":false}', {}, undefined],
  ])('%s: honours the wait of a 429 with %s', async (name, body, headers, expected) => {
    respond(429, body, headers);
    const outcome = await send(name === 'chat_a' ? CHAT_A : CHAT_B, { webhook_url: base, chat_id: 1 });
    expect(outcome).toMatchObject({ ok: false, responseCode: 429 });
    expect(outcome.retryAfterMs).toBe(expected);
    expect(outcome.permanent).toBeUndefined();
  });

  it('takes no wait from the body of another response than a 429', async () => {
    respond(503, '{"retry_after":7}');
    expect((await send(CHAT_A, { webhook_url: base })).retryAfterMs).toBeUndefined();
  });

  it.each([
    [302, undefined],
    [400, true],
    [401, true],
    [403, true],
    [404, true],
    [413, true],
    [500, undefined],
  ])('a %i is permanent: %s', async (status, permanent) => {
    respond(status, 'secret text of the receiver', { location: '/elsewhere' });
    const outcome = await send(CHAT_A, { webhook_url: base });
    expect(outcome).toMatchObject({ ok: false, responseCode: status });
    expect(outcome.permanent).toBe(permanent);
    expect(outcome.error).not.toContain('secret');
    expect(seen).toHaveLength(1);
  });

  it('returns connection resets, refused URLs and missing URLs as outcomes', async () => {
    answer = (response) => response.destroy();
    expect(await send(CHAT_A, { webhook_url: base })).toMatchObject({
      ok: false,
      responseCode: null,
      error: expect.stringMatching(/^reset: /) as string,
    });
    expect((await send(CHAT_A, { webhook_url: 'http://10.0.0.1/' })).error).toMatch(/^address_refused: /);
    for (const config of [{}, { webhook_url: 7 }, { webhook_url: 'nowhere' }])
      expect(await send(CHAT_A, config as ChannelConfig)).toMatchObject({ ok: false, permanent: true });
  });
});
