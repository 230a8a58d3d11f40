import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AlertConditionDto } from '../../src/alerts/alert/alert-condition.dto.js';
import type { AlertDto } from '../../src/alerts/alert/alert.dto.js';
import { fieldsOf } from '../../src/http/parameters/dto-fields.js';
import { TOOLS } from '../../src/operate/mcp/tools.js';
import { COMMENT_SEARCH } from '../../src/content/comments/comment-filter.js';
import { POST_SEARCH } from '../../src/content/posts/post-filter.js';
import { CHANNELS } from '../../src/messages/channels/channels.js';
import { aPost, storePosts } from '../factories/posts.js';
import { aComment, storeComments } from '../factories/comments.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  enum?: string[];
}

/** All schemas within a schema, itself included. */
const within = (schema: unknown): Schema[] =>
  typeof schema !== 'object' || schema === null ? [] : [schema, ...Object.values(schema).flatMap(within)];

const service = await startTestApplication({
  CORS_ALLOWED_ORIGINS: 'https://app.example',
  PUBLIC_URL: 'https://people.example/service',
});
const workspace = await service.createWorkspace();
const assistant = new Client({ name: 'test', version: '1' });

describe('requests of assistants', () => {
  beforeAll(async () => {
    await assistant.connect(
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
        requestInit: { headers: { Authorization: `Bearer ${workspace.apiKey}` } },
      }),
    );
  });
  afterAll(async () => {
    await assistant.close();
  });

  /** Calls a tool and returns its error; null when it has none. */
  const errorOf = async (name: string, input: Record<string, unknown>): Promise<string | null> => {
    const answer = await assistant.callTool({ name, arguments: input });
    const [{ text }] = answer.content as [{ text: string }];
    return answer.isError === true ? text : null;
  };
  const schemasOf = async (): Promise<[string, Schema][]> =>
    (await assistant.listTools()).tools.map(({ name, inputSchema }) => [name, inputSchema as Schema]);

  it('may have all headers of the protocol from pages of allowed origins', async () => {
    const sent = new Set<string>(['last-event-id', 'mcp-session-id']);
    const page = new Client({ name: 'page', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${workspace.apiKey}` } },
      fetch: (url, init) => {
        for (const name of new Headers(init?.headers).keys()) sent.add(name);
        return fetch(url, init);
      },
    });
    await page.connect(transport);
    await page.close();
    expect([...sent]).toContain('mcp-protocol-version');
    const { headers } = await fetch(`${service.url}/mcp`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': [...sent].join(','),
      },
    });
    const allowed = headers.get('access-control-allow-headers')!.toLowerCase().split(',');
    expect([...sent].filter((name) => name !== 'accept' && !allowed.includes(name))).toEqual([]);
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
  });

  it('find no object in the schema of a tool that may have other arguments', async () => {
    const open = (await schemasOf()).flatMap(([name, schema]) =>
      within(schema)
        .filter(({ type, additionalProperties }) => type === 'object' && additionalProperties !== false)
        .map(() => name),
    );
    expect(open).toEqual([]);
  });

  it.each(TOOLS.map(({ name }) => name))('%s names an argument that it does not have', async (tool) => {
    const [, schema] = (await schemasOf()).find(([name]) => name === tool)!;
    const allowed = Object.keys(schema.properties ?? {});
    const error = await errorOf(tool, { made_up: 'x' });
    expect(error).toContain('Unknown argument `made_up`.');
    expect(error).toContain(
      allowed.length === 0 ? 'No argument is allowed.' : `Allowed: ${allowed.join(', ')}.`,
    );
  });

  it.each([
    ['search_posts', POST_SEARCH, ['ids']],
    ['search_comments', COMMENT_SEARCH, []],
    ['count_by', POST_SEARCH, ['ids']],
    ['count_over_time', POST_SEARCH, ['ids']],
    ['find_spikes', POST_SEARCH, ['ids']],
  ])('may give %s every filter of its list', async (tool, { filters }, without) => {
    const [, schema] = (await schemasOf()).find(([name]) => name === tool)!;
    const missing = Object.keys(filters).filter((name) => !(name in schema.properties!));
    expect(missing).toEqual(without);
  });

  it('choose posts by filters of each type', async () => {
    const filters = { has_media: false, min_comments: 0, language: 'en', post_type: 'self', max_score: 5 };
    expect(await errorOf('search_posts', filters)).toBeNull();
  });

  it.each(['.', '..', './..', '../posts', 'a/../b'])('find no post with the id %j', async (id) => {
    expect(await errorOf('get_post', { post_id: id })).toContain('not_found');
  });

  it('count and find the comments of one post', async () => {
    const { workspaceId } = workspace;
    await storePosts(service, workspaceId, [aPost(1), aPost(2)]);
    await storeComments(service, workspaceId, [
      aComment(1, { postId: aPost(1).id, author: 'ann' }),
      aComment(2, { postId: aPost(2).id, author: 'bob' }),
    ]);
    const answerOf = async (name: string, input: object): Promise<string> =>
      JSON.stringify(
        (await assistant.callTool({ name, arguments: { post_id: aPost(1).id, ...input } })).content,
      );
    for (const answer of [
      await answerOf('search_comments', {}),
      await answerOf('count_by', { of: 'comments', by: ['author'] }),
    ])
      expect([answer.includes('ann'), answer.includes('bob')]).toEqual([true, false]);
  });

  it('may watch a query without keywords', async () => {
    const input = { name: 'query', query: 'title:rust', channel_config: { to: 'me@example.com' } };
    expect(await errorOf('create_alert', input)).toBeNull();
  });

  it('receive the warnings of a new alert', async () => {
    const input = { name: 'mail', query: 'rust', channel_config: { to: 'me@example.com' } };
    const { structuredContent } = await assistant.callTool({ name: 'create_alert', arguments: input });
    const { warnings } = structuredContent as { warnings: { code: string }[] };
    expect(warnings.map(({ code }) => code)).toContain('no_mail_server');
  });

  it.each([
    { kind: 'story' },
    { kind: 'spike', measure: 'mean_sentiment', interval: 'day', direction: 'both' },
  ])('may watch for %j', async (condition) => {
    const input = { name: 'a', query: 'rust', condition, channel_config: { to: 'me@example.com' } };
    expect(await errorOf('create_alert', input)).toBeNull();
    const alerts = await call<AlertDto[]>(service, workspace, 'GET', '/alerts?view=full');
    expect(alerts.map((alert) => alert.condition)).toContainEqual(condition);
  });

  it('may give every field of a condition', async () => {
    const [, { properties }] = (await schemasOf()).find(([name]) => name === 'create_alert')!;
    expect(Object.keys(properties!.condition!.properties!)).toEqual(fieldsOf(AlertConditionDto));
  });

  it('receive the nearest argument in the error', async () => {
    expect(await errorOf('search_posts', { query: 'x' })).toContain(
      'Unknown argument `query`. Did you mean `q`? Allowed: q, forum, ',
    );
  });

  it('are refused an unknown argument within an argument', async () => {
    const config = { webhok_url: 'https://hook.example' };
    const error = await errorOf('create_alert', { name: 'a', keywords: ['a'], channel_config: config });
    expect(error).toContain('Unknown argument `webhok_url`. Did you mean `webhook_url`?');
    expect(error).toContain('at channel_config');
  });

  it('may name every channel of alerts, with its settings', async () => {
    const [, { properties }] = (await schemasOf()).find(([name]) => name === 'create_alert')!;
    expect(properties!.channel!.enum).toEqual(CHANNELS.names);
    const settings = CHANNELS.all.flatMap(({ fields }) => fields.map(({ key }) => key));
    expect(new Set(Object.keys(properties!.channel_config!.properties!))).toEqual(new Set(settings));
  });

  it.each([
    ['a number', 'telegram', { webhook_url: 'https://hook.example', chat_id: -100 }],
    ['a list', 'email', { to: ['a@example.com', 'b@example.com'] }],
  ])('may give %s as a setting of a channel', async (_what, channel, config) => {
    const input = { name: channel, keywords: ['a'], channel, channel_config: config };
    expect(await errorOf('create_alert', input)).toBeNull();
  });

  const statusFrom = async (origin: string | null, method = 'POST'): Promise<number> => {
    const { status } = await fetch(`${service.url}/mcp`, {
      method,
      headers: {
        'X-API-Key': workspace.apiKey,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(origin !== null && { Origin: origin }),
      },
      ...(method === 'POST' && { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }),
    });
    return status;
  };

  it('are served without an Origin, and from own pages and allowed origins', async () => {
    for (const origin of [null, service.url, 'https://people.example', 'https://app.example'])
      expect([origin, await statusFrom(origin)]).toEqual([origin, 200]);
  });

  it.each([
    'http://evil.example',
    'null',
    '',
    'https://people.example.evil.example',
    'http://people.example',
    'https://app.example:8443',
    'http://127.0.0.1:1',
  ])('are refused from a page of "%s"', async (origin) => {
    expect([await statusFrom(origin), await statusFrom(origin, 'GET')]).toEqual([403, 403]);
  });
});
