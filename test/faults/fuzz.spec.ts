import fc from 'fast-check';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { ContractClient, type ContractOperation } from '../support/contract.js';

/** Fewer where a run leaves out the long ones: `scripts/lib/long-runs.mjs`. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 10_000);
const AT_ONCE = 20;
/** A text that only the other workspace has and that must never appear in a response. */
const MARK = 'zzleakedzz';

interface Generated {
  operation: ContractOperation;
  ids: string[];
  query: [string, string][];
  body: unknown;
  headers: Record<string, string>;
}

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
};

const service = await startTestApplication();
const client = new ContractClient(service);
const workspace = await service.createWorkspace();
const other = await service.createWorkspace(MARK);

describe('any request', () => {
  let ids: string[];

  beforeAll(async () => {
    await storePosts(
      service,
      workspace.workspaceId,
      Array.from({ length: 30 }, (_, n) => aPost(n)),
    );
    await storeComments(service, workspace.workspaceId, [aComment(1), aComment(2)]);
    const marked = Array.from({ length: 30 }, (_, n) =>
      aPost(n, { title: MARK, selftext: MARK, author: MARK }),
    );
    await storePosts(service, other.workspaceId, [...marked, aPost(99, { title: MARK })]);
    await storeComments(service, other.workspaceId, [
      aComment(1, { body: MARK }),
      aComment(3, { body: MARK }),
    ]);
    ids = [...(await resourcesOf(workspace, 'mine')), ...(await resourcesOf(other, MARK))];
  });

  /** One of each resource that has an id. */
  async function resourcesOf(owner: TestWorkspace, name: string): Promise<string[]> {
    const as = client.withKey(owner.apiKey);
    const make = async (path: string, body: unknown) =>
      (await as.post<{ id: string }>(owner.path(path), body)).body.id;
    const job = await make('/jobs', { target: name });
    // The event stream of a job stays open until the job has ended.
    await as.call('DELETE', owner.path(`/jobs/${job}`));
    return [
      job,
      await make('/api-keys', { name }),
      await make('/schedules', { target: name, cron_expression: '@hourly' }),
      await make('/alerts', { name, keywords: [name] }),
      await make('/webhooks', { url: `https://example.com/${name}` }),
    ];
  }

  it(`ends without a 5xx, within the contract and the workspace (${REQUESTS} requests)`, async () => {
    const requests = fc.sample(arbitraryRequest(), { numRuns: REQUESTS, seed: 20_261_121 });
    const failures: string[] = [];
    const statuses = new Map<number, number>();
    const work = async () => {
      for (let one = requests.pop(); one !== undefined && failures.length < 5; one = requests.pop()) {
        const outcome = await send(one).catch((error: Error) => ({
          failure: `${error.message} ${String(error.cause)}`,
          status: 0,
        }));
        statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
        if (outcome.failure !== null)
          failures.push(`${outcome.failure}\n${JSON.stringify(one.query)} ${JSON.stringify(one.body)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(failures).toEqual([]);
    // Guards against a generator whose requests are all refused, which would prove little.
    expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(REQUESTS / 20);
    expect(statuses.get(400)).toBeGreaterThan(REQUESTS / 20);
    expect(statuses.get(404)).toBeGreaterThan(0);
  });

  async function send({ operation: { method, path }, ids: chosen, query, body, headers }: Generated) {
    const address = path
      .replace('{workspace_id}', workspace.workspaceId)
      .replaceAll(/\{\w+\}/g, () => segmentOf(chosen.pop() ?? 'x'));
    const search = new URLSearchParams(query).toString();
    const answer = await client.call(method.toUpperCase(), `${address}${search ? `?${search}` : ''}`, {
      key: workspace.apiKey,
      headers,
      ...(body !== undefined && method !== 'get' && { body }),
    });
    // Responses may repeat what the caller sent, but no request sends the mark.
    const failure =
      answer.status >= 500
        ? `${answer.status} from ${method} ${address}: ${answer.text}`
        : answer.text.includes(MARK)
          ? `${method} ${address} showed another workspace: ${answer.text.slice(0, 300)}`
          : null;
    return { failure, status: answer.status };
  }

  function arbitraryRequest(): fc.Arbitrary<Generated> {
    // Keys are excluded, or the run would soon revoke its own.
    const operations = client.contract.operations.filter(
      ({ operation }) =>
        operation['x-required-scope'] !== undefined && operation.operationId !== 'revokeApiKey',
    );
    return fc.constantFrom(...operations).chain((operation) =>
      fc.record({
        operation: fc.constant(operation),
        ids: fc.array(
          fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids, 't3_000001') }, fc.uuid(), nastyText()),
          {
            minLength: 2,
            maxLength: 2,
          },
        ),
        query: arbitraryQuery(operation),
        body: arbitraryBody(operation),
        headers: fc.oneof(
          { weight: 4, arbitrary: fc.constant({}) },
          fc.record({ 'Idempotency-Key': fc.stringMatching(/^[\x21-\x7e]{0,20}$/) }),
          fc.record({ 'X-Request-Id': fc.stringMatching(/^[\x20-\x7e]{0,20}$/) }),
          fc.record({
            'Content-Type': fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'x'),
          }),
          fc.record({
            Accept: fc.stringMatching(/^[\x21-\x7e]{0,20}$/),
            'Accept-Encoding': fc.constantFrom('gzip', '*;q=0', 'x'),
          }),
        ),
      }),
    );
  }

  function arbitraryQuery({ operation }: ContractOperation): fc.Arbitrary<[string, string][]> {
    const known = (operation.parameters as { name: string; in: string; schema: Schema }[]).filter(
      (parameter) => parameter.in === 'query',
    );
    const unknown = fc.tuple(nastyText(), nastyText());
    if (known.length === 0) return fc.array(unknown, { maxLength: 1, size: 'small' });
    const one = fc
      .constantFrom(...known)
      .chain(({ name, schema }) =>
        fc.tuple(
          fc.constant(name),
          fc.oneof({ weight: 4, arbitrary: fitting(schema).map(String) }, nastyText()),
        ),
      );
    return fc.oneof(
      { weight: 3, arbitrary: fc.uniqueArray(one, { maxLength: 4, selector: ([name]) => name }) },
      fc.array(fc.oneof({ weight: 5, arbitrary: one }, unknown), { maxLength: 4 }),
    );
  }

  function arbitraryBody({ operation }: ContractOperation): fc.Arbitrary<unknown> {
    const content = (operation.requestBody as { content?: Record<string, { schema: { $ref: string } }> })
      ?.content;
    if (content === undefined) return fc.constant(undefined);
    if (content['application/json'] === undefined) return fc.string();
    const schema = client.contract.document.components!.schemas![
      content['application/json'].schema.$ref.split('/').at(-1)!
    ] as Schema;
    return fc.oneof(
      { weight: 5, arbitrary: fitting(schema) },
      { weight: 3, arbitrary: fitting(schema, true) },
      fc.jsonValue({ maxDepth: 4 }),
      fc.string(),
    );
  }

  /** Values that match a schema; when `loose`, any part may be anything. */
  function fitting(schema: Schema, loose = false): fc.Arbitrary<unknown> {
    const right = fits(resolved(schema), loose);
    return loose
      ? fc.oneof({ weight: 4, arbitrary: right }, fc.jsonValue({ maxDepth: 2 }), nastyText())
      : right;
  }

  function fits(schema: Schema, loose: boolean): fc.Arbitrary<unknown> {
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (schema.anyOf !== undefined)
      return fc.oneof(...(schema.anyOf as Schema[]).map((one) => fitting(one, loose)));
    switch (schema.type) {
      case 'integer':
      case 'number':
        return fc.integer({
          min: Number(schema.minimum ?? -2_147_483_648),
          max: Math.min(Number(schema.maximum ?? 2_147_483_647), Number(schema.minimum ?? 0) + 20_000),
        });
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(fitting(schema.items ?? {}, loose), { maxLength: 4 });
      case 'object':
        return schema.properties === undefined
          ? fc.dictionary(nastyText(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 })
          : fc.record(
              Object.fromEntries(
                Object.entries(schema.properties).map(([name, property]) => [name, fitting(property, loose)]),
              ),
              { requiredKeys: loose ? [] : ((schema.required ?? []) as string[]) },
            );
      default:
        return fc.oneof(
          fc.constantFrom(
            'technology',
            '@hourly',
            '*/5 * * * *',
            'https://example.com/x',
            '"a phrase" or -not',
          ),
          fc.string({ minLength: 1, maxLength: 30 }),
          nastyText(),
        );
    }
  }

  function resolved(schema: Schema): Schema {
    const reference = (schema.$ref ?? (schema.allOf as Schema[] | undefined)?.[0]?.$ref) as
      string | undefined;
    return reference === undefined
      ? schema
      : (client.contract.document.components!.schemas![reference.split('/').at(-1)!] as Schema);
  }
});

/** Text as a path segment; text that cannot be a segment becomes one that cannot be decoded. */
function segmentOf(text: string): string {
  if (/^\.{0,2}$/.test(text)) return '%';
  try {
    return encodeURIComponent(text);
  } catch {
    return '%zz';
  }
}

/** Text that is likely to break something. */
function nastyText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '',
      ' ',
      '\0',
      '\ud800',
      '__proto__',
      'constructor',
      'toString',
      "'; DROP TABLE posts; --",
      '%00',
      '../../etc/passwd',
      '9'.repeat(40),
      '-1',
      '1e9',
      'NaN',
      'null',
      '"',
      "a'b:*&|!()",
      'x'.repeat(1_100),
      '\u{1f600}',
      '=1+1',
    ),
  );
}
