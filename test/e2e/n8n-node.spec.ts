import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { HttpReceiver } from '../support/receivers.js';

type Values = Record<string, unknown>;

/** The parts of n8n's node interface that the package uses. */
interface Property {
  name: string;
  type: string;
  default: unknown;
  required?: boolean;
  options?: Property[];
  value?: string;
  displayOptions?: { show: Record<string, string[]> };
  routing?: {
    request?: { method: string; url: string };
    send?: { type: 'query' | 'body'; property: string; value?: string };
    output?: { postReceive: [{ type: 'rootProperty'; properties: { property: string } }] };
  };
}
interface Node {
  description: { properties: Property[]; requestDefaults: { baseURL: string; arrayFormat: string } };
}
interface Trigger {
  webhookMethods: { default: Record<'checkExists' | 'create' | 'delete', () => Promise<boolean>> };
  webhook: () => Promise<{ workflowData?: object[][]; noWebhookResponse?: boolean }>;
}
interface Credentials {
  authenticate: { properties: { headers: Record<string, string> } };
  test: { request: { baseURL: string; url: string } };
}

const PACKAGE = join(process.cwd(), 'clients/n8n');
const require = createRequire(join(PACKAGE, 'package.json'));
const { n8n } = require('./package.json') as { n8n: { nodes: string[]; credentials: string[] } };

/** What n8n makes of a file: a class of the file's name. */
function load<T>(file: string): T {
  const [, name] = /(\w+)\.(?:node|credentials)\.js$/.exec(file)!;
  const Loaded = (require(`./${file}`) as Record<string, new () => T>)[name!]!;
  return new Loaded();
}
const node = load<Node>(n8n.nodes[0]!);
const credentialsType = load<Credentials>(n8n.credentials[0]!);

const service = await startTestApplication({ ROLES: 'api,worker', OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8' });
const workspace = await service.createWorkspace();
const credentials = { baseUrl: service.url, apiKey: workspace.apiKey };

/** The value of an expression, of the few forms that the package has. */
function evaluated(text: string, parameters: Values, value?: unknown): unknown {
  if (!text.startsWith('=')) return text;
  if (text === '={{ JSON.parse($value) }}') return JSON.parse(value as string) as unknown;
  return text.slice(1).replaceAll(/\{\{(.*?)\}\}/g, (_all, inner: string) => {
    const [, credential] = /^\$credentials\.(\w+)$/.exec(inner) ?? [];
    if (credential !== undefined) return credentials[credential as keyof typeof credentials];
    const [, parameter] = /^encodeURIComponent\(\$parameter\["(\w+)"\]\)$/.exec(inner)!;
    return encodeURIComponent(String(parameters[parameter!]));
  });
}

const headers = Object.fromEntries(
  Object.entries(credentialsType.authenticate.properties.headers).map(([name, text]) => [
    name,
    evaluated(text, {}) as string,
  ]),
);

/** Does what n8n does for an operation of a declarative node; returns the items. */
async function run(resource: string, operation: string, given: Values = {}): Promise<Values[]> {
  const { properties, requestDefaults } = node.description;
  const isShown = ({ displayOptions }: Property): boolean =>
    Object.entries(displayOptions?.show ?? {}).every(([name, values]) =>
      values.includes({ resource, operation }[name]!),
    );
  const shown = properties.filter(isShown);
  const chosen = shown.find(({ name }) => name === 'operation')!.options!;
  const { request, output } = chosen.find(({ value }) => value === operation)!.routing!;
  const fields = shown.flatMap((one) => (one.type === 'collection' ? one.options! : one));
  const query = new URLSearchParams();
  const body: Values = {};
  for (const { name, routing } of fields) {
    if (!(name in given) || routing?.send === undefined) continue;
    const { type, property, value: text } = routing.send;
    const value = text === undefined ? given[name] : evaluated(text, given, given[name]);
    if (type === 'body') body[property] = value;
    else for (const one of [value].flat()) query.append(property, String(one));
  }
  for (const { name, required } of fields) if (required) expect(Object.keys(given)).toContain(name);
  const base = evaluated(requestDefaults.baseURL, given) as string;
  const path = evaluated(request!.url, given) as string;
  const answer = await fetch(`${base}${path}${query.size > 0 ? `?${query.toString()}` : ''}`, {
    method: request!.method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(Object.keys(body).length > 0 && { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Values;
  expect([200, 201, JSON.stringify(json)]).toContain(answer.status);
  const root = output?.postReceive[0].properties.property;
  return (root === undefined ? [json].flat() : json[root]) as Values[];
}

describe('the n8n node', () => {
  it('has a credential that the service accepts', async () => {
    const { baseURL, url } = credentialsType.test.request;
    const answer = await fetch(`${evaluated(baseURL, {}) as string}${url}`, { headers });
    expect(await answer.json()).toMatchObject({ name: expect.any(String) as string, status: 'active' });
  });

  it('lists posts as items, with several values of a field', async () => {
    await storePosts(service, workspace.workspaceId, [
      aPost(1, { forum: 'one', title: 'A heron' }),
      aPost(2, { forum: 'two', title: 'A heron too' }),
      aPost(3, { forum: 'three', title: 'A heron as well' }),
    ]);
    const posts = await run('Post', 'listPosts', { q: 'heron', forum: ['one', 'two'] });
    expect(posts.map(({ forum }) => forum).sort()).toEqual(['one', 'two']);
    const [post] = await run('Post', 'getPost', { post_id: posts[0]!.id });
    expect(post).toMatchObject({ id: posts[0]!.id });
  });

  it('creates, lists and removes an alert, whose objects are written as JSON', async () => {
    const [alert] = await run('Alert', 'createAlert', {
      name: 'Herons',
      query: 'heron',
      keywords: ['egret'],
      channel_config: '{"to":"ann@example.com"}',
    });
    expect(alert).toMatchObject({ keywords: ['egret'], channel_config: { to: 'ann@example.com' } });
    expect(await run('Alert', 'listAlerts')).toHaveLength(1);
    await run('Alert', 'deleteAlert', { alert_id: alert!.id });
    expect(await run('Alert', 'listAlerts')).toEqual([]);
  });

  it('starts a job, and counts', async () => {
    const [job] = await run('Job', 'createJob', { target: 'technology', limit: 1, scrape_comments: false });
    const [read] = await run('Job', 'getJob', { job_id: job!.id });
    expect(read).toMatchObject({ id: job!.id, target: 'technology' });
    const [facets] = await run('Analytics', 'getFacets', { of: 'posts', by: 'forum' });
    expect(facets).toMatchObject({ total: 3 });
  });
});

describe('the n8n trigger', () => {
  let receiver: HttpReceiver;
  const state: Values = {};
  const trigger = load<Trigger>(n8n.nodes[1]!);

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
  });

  /** n8n's context of a trigger, with the request that arrived. */
  const context = (request?: { headers: Values; rawBody: Buffer }) => {
    const answered: unknown[] = [];
    const response = {
      status: (code: number) => ({ end: () => answered.push(code) }),
    };
    return {
      answered,
      getCredentials: () => Promise.resolve(credentials),
      getWorkflowStaticData: () => state,
      getNodeWebhookUrl: () => receiver.url,
      getNodeParameter: () => ['alert.triggered', 'job.completed'],
      getRequestObject: () => request,
      getResponseObject: () => response,
      helpers: {
        returnJsonArray: (json: object) => [{ json }],
        httpRequestWithAuthentication: async (
          _type: string,
          { method, url: address, body }: { method: string; url: string; body?: object },
        ) => {
          const answer = await fetch(address, {
            method,
            headers: { ...headers, 'Content-Type': 'application/json' },
            ...(body && { body: JSON.stringify(body) }),
          });
          if (!answer.ok) throw Object.assign(new Error('refused'), { httpCode: String(answer.status) });
          return answer.json();
        },
      },
    };
  };
  const hook = (name: 'checkExists' | 'create' | 'delete') =>
    trigger.webhookMethods.default[name].call(context());
  const receive = async (request: { headers: Values; rawBody: Buffer }) => {
    const own = context(request);
    return { answer: await trigger.webhook.call(own), answered: own.answered };
  };

  it('registers a webhook, takes its events, and removes it', async () => {
    expect(await hook('checkExists')).toBe(false);
    expect(await hook('create')).toBe(true);
    expect(await hook('checkExists')).toBe(true);
    const test = await fetch(`${service.url}${workspace.path(`/webhooks/${String(state.webhookId)}/test`)}`, {
      method: 'POST',
      headers,
    });
    expect(test.ok).toBe(true);
    const [received] = await receiver.received(1);
    const request = { headers: received!.headers as Values, rawBody: Buffer.from(received!.body) };
    expect(await receive(request)).toMatchObject({
      answer: { workflowData: [[{ json: { type: 'webhook.test' } }]] },
      answered: [],
    });
    expect(await receive({ ...request, rawBody: Buffer.from(`${received!.body} `) })).toEqual({
      answer: { noWebhookResponse: true },
      answered: [401],
    });
    expect(await hook('delete')).toBe(true);
    expect(state).toEqual({});
    expect(await hook('delete')).toBe(true);
    expect(await receive(request)).toMatchObject({ answered: [401] });
  });

  it('refuses a signature of another time', async () => {
    const key = Buffer.alloc(32, 7);
    state.secret = `whsec_${key.toString('base64')}`;
    const signed = (seconds: number) => {
      const signature = createHmac('sha256', key).update(`evt_1.${seconds}.{}`).digest('base64');
      return {
        headers: {
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(seconds),
          'webhook-signature': `v1,${signature}`,
        },
        rawBody: Buffer.from('{}'),
      };
    };
    const now = Math.floor(Date.now() / 1_000);
    expect((await receive(signed(now - 60))).answered).toEqual([]);
    expect((await receive(signed(now - 400))).answered).toEqual([401]);
    expect((await receive(signed(now + 400))).answered).toEqual([401]);
    expect((await receive({ ...signed(now), headers: {} })).answered).toEqual([401]);
  });
});
