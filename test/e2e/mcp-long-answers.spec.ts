import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { tokensOf } from '../../src/operate/mcp/answer-parts.js';
import { MAX_TOKENS } from '../../src/operate/mcp/tool-answer.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startWithClient } from '../support/contract.js';

type Json = Record<string, unknown>;

/** Long, in a script without spaces, with characters of several code points and texts that look like marks. */
const LONG_TEXT = `${'長い文章。👩‍👩‍👧 </untrusted-1> "x"\n'.repeat(1_500)}the end`;
const PARTS = 20;

const { service, workspace, client } = await startWithClient();

describe('answers that are too long for an assistant', () => {
  let assistant: Client;

  beforeAll(async () => {
    await storePosts(service, workspace.workspaceId, [
      aPost(1, { selftext: LONG_TEXT }),
      aPost(3, { forum: 'emoji', selftext: `${'b'.repeat(599)}😀${'c'.repeat(600)}` }),
      ...Array.from({ length: 60 }, (_, n) =>
        aPost(100 + n, { author: `an_author_with_a_long_name_${n}`, createdUtc: new Date(n * 86_400_000) }),
      ),
    ]);
    assistant = new Client({ name: 'test', version: '1' });
    await assistant.connect(
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
        requestInit: { headers: { Authorization: `Bearer ${workspace.apiKey}` } },
      }),
    );
  });
  afterAll(async () => {
    await assistant.close();
  });

  const textOf = async (name: string, input: Json): Promise<string> =>
    ((await assistant.callTool({ name, arguments: input })).content as [{ text: string }])[0].text;

  /** All answers to a call, by their cursors. */
  async function answersTo(name: string, input: Json): Promise<Json[]> {
    const answers: Json[] = [];
    for (let cursor: unknown; answers.length < PARTS;) {
      const text = await textOf(name, { ...input, ...(cursor !== undefined && { cursor }) });
      expect(tokensOf(text)).toBeLessThanOrEqual(MAX_TOKENS);
      const answer = JSON.parse(text) as Json;
      answers.push(answer);
      ({ cursor } = answer);
      // Lists have a cursor behind their last item, too.
      if (typeof cursor !== 'string' || answer.has_more === false) return answers;
    }
    throw new Error(`${name} has more than ${PARTS} parts`);
  }

  it('have the whole text of a post in their parts, each between its marks', async () => {
    const answers = await answersTo('get_post', { post_id: aPost(1).id });
    expect(answers.length).toBeGreaterThan(1);
    const texts = answers.flatMap(({ note, selftext }) => {
      const [, mark] = /<(untrusted-\w{12})>/.exec(note as string)!;
      if (selftext === undefined) return [];
      const text = selftext as string;
      expect([text.startsWith(`<${mark}>`), text.endsWith(`</${mark}>`)]).toEqual([true, true]);
      return [text.slice(mark!.length + 2, -mark!.length - 3)];
    });
    expect(texts.join('')).toBe(LONG_TEXT.trim());
    expect(answers.every(({ id }) => id === aPost(1).id)).toBe(true);
  });

  it('have all alerts in their parts', async () => {
    const created = await Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        const alert = {
          name: `Alert ${n} ${'x'.repeat(150)}`,
          keywords: Array.from({ length: 30 }, (_, k) => `word${n}x${k}`),
        };
        const config = { channel: 'email', channel_config: { to: 'me@example.com' } };
        const { body } = await client.post<{ id: string }>(workspace.path('/alerts'), {
          ...alert,
          ...config,
        });
        return body.id;
      }),
    );
    const answers = await answersTo('list_alerts', {});
    const items = answers.flatMap(({ items }) => items as { id: string }[]);
    expect(items.map(({ id }) => id).sort()).toEqual(created.sort());
    expect(answers[0]!.note).toContain('the next one is read with `cursor`');
    expect(answers.at(-1)!.note).not.toContain('cursor');
  });

  it('have all intervals of a count over time in their parts', async () => {
    const input = {
      interval: 'hour',
      created_after: '1970-01-01T00:00:00Z',
      created_before: '1970-03-01T00:00:00Z',
    };
    const { body } = await client.get<Json>(
      workspace.path(`/analytics/timeseries?${new URLSearchParams(input).toString()}`),
    );
    const [name, all] = Object.entries(body).find(([, field]) => Array.isArray(field))!;
    const answers = await answersTo('count_over_time', input);
    expect(answers.length).toBeGreaterThan(1);
    expect(answers.flatMap((answer) => answer[name] as object[])).toEqual(all);
  });

  it('are JSON, whichever tool and query', async () => {
    const q = Array.from({ length: 300 }, (_, n) => `(word${n} OR title:other${n})`)
      .join(' ')
      .slice(0, 3_990);
    for (const [tool, input] of [
      ['explain_query', { q: q.slice(0, q.lastIndexOf(' (')) }],
      ['count_by', { by: ['author', 'keyword', 'forum', 'flair'], limit: 50 }],
    ] as const)
      expect([tool, (await answersTo(tool, input)).length > 0]).toEqual([tool, true]);
  });

  it('end between characters where a list cuts a text', async () => {
    const [answer] = await answersTo('search_posts', { forum: 'emoji' });
    const [{ selftext }] = answer!.posts as [{ selftext: string }];
    expect(selftext).toMatch(/b{599}… \(1201 characters\)/);
  });

  it('need a cursor of the same tool', async () => {
    for (const cursor of ['-1', '1.5', 'other', '9'.repeat(10)])
      expect(await textOf('list_alerts', { cursor })).toContain('`cursor` is none of this tool');
  });
});
