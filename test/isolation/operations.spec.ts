import { Contract, type ContractOperation } from '../support/contract.js';
import { ExampleRecorder } from '../support/example-recorder.js';
import { digestAll, digestWorkspace, type RowDigests, uuidsOfWorkspace } from '../support/rows.js';
import { type FilledWorkspace, startTwoWorkspaces } from '../support/two-workspaces.js';
import { bodyOf, type Ids, OPERATION_CASES } from './operation-cases.js';

const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';
const UNKNOWN_POST = 't3_never0';
const UNKNOWN_COMMENT = 't1_never0';
const UNKNOWN_PLATFORM_IDS: Record<string, string> = {
  post_id: UNKNOWN_POST,
  comment_id: UNKNOWN_COMMENT,
};
const MAX_PAGES = 100;

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}
interface Request {
  /** The workspace whose key and path are used. */
  caller: FilledWorkspace;
  path?: FilledWorkspace;
  ids?: Ids;
  query?: Record<string, string>;
  body?: object | string;
  headers?: Record<string, string>;
}

const both = await startTwoWorkspaces();
const operations = new Map(
  Contract.of(both.service)
    // The address of a feed is its credential; its token is unknown in every other workspace.
    .operations.filter(({ path }) => path.startsWith('/api/v1/workspaces/{workspace_id}'))
    .filter(({ path }) => !path.includes('/feeds/'))
    .map((one) => [one.operation.operationId!, one]),
);

async function send(
  id: string,
  { caller, path = caller, ids = {}, query, body, headers }: Request,
): Promise<Answer> {
  const { method, path: template } = operations.get(id)!;
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'workspace_id' ? path.workspaceId : ids[name]!,
  );
  const url = new URL(address, both.service.url);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers: {
      // A key is no person, and so has no settings.
      ...(template.includes('/me/')
        ? { Cookie: caller.memberCookie, Origin: both.service.url }
        : { 'X-API-Key': caller.apiKey }),
      ...(body && { 'Content-Type': typeof body === 'string' ? 'text/xml' : 'application/json' }),
      ...headers,
    },
    ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const bytes =
    id === 'followSearch' && response.status === 200
      ? await firstBytes(response)
      : Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, text: bytes.toString('latin1') };
}

/** The beginning of a response that does not end by itself. */
async function firstBytes(response: Response): Promise<Buffer> {
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return Buffer.from(value);
}

/** Status and body of a response without the parts that identify the request itself. */
function comparable({ status, text }: Answer): unknown {
  const body = JSON.parse(text) as Record<string, unknown>;
  if (status < 400) return { status, body };
  return { status, problem: { ...body, instance: undefined, request_id: undefined } };
}

/** The same request with every id that does not belong to `a` replaced by one that never existed. */
function withUnknownIds(ids: Ids): Ids {
  const own = new Set(Object.values(ids).filter((id) => idsOf(both.a).has(id)));
  return Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [
      name,
      own.has(id) ? id : (UNKNOWN_PLATFORM_IDS[name] ?? UNKNOWN_UUID),
    ]),
  );
}

const idsOf = (workspace: FilledWorkspace): Set<string> =>
  new Set([
    workspace.alertId,
    workspace.keyId,
    workspace.matchId,
    workspace.searchId,
    workspace.erasureId,
    workspace.suppressionId,
    workspace.mediaId,
    workspace.postId,
    workspace.scheduleId,
    workspace.webhookId,
    ...Object.values(workspace.deliveries),
    ...Object.values(workspace.jobs),
    ...Object.values(workspace.exports),
    ...Object.values(workspace.datasets),
    '1',
  ]);

const prefixed = (ids: Ids): Ids =>
  Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, PREFIXES[name] ? `${PREFIXES[name]}_${id}` : id]),
  );
const PREFIXES: Record<string, string> = {
  job_id: 'job',
  alert_id: 'alert',
  webhook_id: 'wh',
  schedule_id: 'sched',
  key_id: 'key',
  export_id: 'export',
  match_id: 'match',
  search_id: 'search',
  erasure_id: 'erasure',
  suppression_id: 'suppression',
  dataset_id: 'dataset',
};

/** Operations in an order in which each still finds what it needs: those that remove something come last. */
const ids = Object.keys(OPERATION_CASES).sort((one, other) => weight(one) - weight(other));
function weight(id: string): number {
  return /^(delete|revoke|cancel)/.test(id) ? 1 : 0;
}
const naming = ids.filter((id) => OPERATION_CASES[id]!.foreign !== undefined);
const listing = ids.filter((id) => OPERATION_CASES[id]!.pages !== undefined);

it('covers every operation of the contract, and each parameter of its path', () => {
  expect([...operations.keys()].sort()).toEqual([...ids].sort());
  for (const [id, { path }] of operations) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).slice(1);
    const { own, foreign } = OPERATION_CASES[id]!;
    expect([id, Object.keys(own.ids?.(both.a) ?? {})]).toEqual([id, names]);
    for (const given of foreign?.(both) ?? []) expect([id, Object.keys(given)]).toEqual([id, names]);
    expect([id, foreign !== undefined]).toEqual([id, names.length > 0]);
  }
});

it('finds no request body that names another resource by its id', () => {
  const { schemas = {} } = Contract.of(both.service).document.components!;
  const named = [...operations.values()].flatMap(({ operation }) => {
    const content = (operation.requestBody as { content?: Record<string, { schema: { $ref?: string } }> })
      ?.content;
    const name = content?.['application/json']?.schema.$ref?.split('/').at(-1);
    const schema = name === undefined ? undefined : (schemas[name] as { properties?: object });
    return Object.keys(schema?.properties ?? {}).filter((property) => /(^|_)ids?$/.test(property));
  });
  // Those of `createErasure`, which names content by its id on the platform, and of `updateMatches` and
  // `updateNotificationSettings`, which test/integration/matches.spec.ts and test/e2e/own-notifications.spec.ts cover.
  expect(named.sort()).toEqual(['add_alert_ids', 'comment_id', 'ids', 'post_id', 'remove_alert_ids']);
});

/** All rows after the last comparison, so that each is the reference of the next one. */
let lastRows: RowDigests = await digestAll(both.dataSource);
async function expectUnchanged(): Promise<void> {
  const before = lastRows;
  lastRows = await digestAll(both.dataSource);
  expect(lastRows).toEqual(before);
}

describe("ids of another workspace under the caller's own path", () => {
  it.each(naming)('%s responds as for an id that never existed, and changes nothing', async (id) => {
    const { own, foreign, unknown = 404 } = OPERATION_CASES[id]!;
    for (const given of foreign!(both)) {
      const reference = await send(id, {
        caller: both.a,
        ids: withUnknownIds(given),
        body: bodyOf(own, both.a),
      });
      expect(reference.status).toBe(unknown);
      for (const spelled of [given, prefixed(given)]) {
        const answer = await send(id, { caller: both.a, ids: spelled, body: bodyOf(own, both.a) });
        expect(comparable(answer)).toEqual(comparable(reference));
      }
      await expectUnchanged();
    }
  });

  it.each(['getWebhookDelivery', 'redeliverWebhookDelivery'])(
    '%s finds a delivery only under its own webhook',
    async (id) => {
      const { webhookId, deliveries } = both.a;
      const at = (deliveryId: string) =>
        send(id, { caller: both.a, ids: { webhook_id: webhookId, delivery_id: deliveryId } });
      const reference = await at(UNKNOWN_UUID);
      expect(reference.status).toBe(404);
      for (const other of [deliveries.ofOtherWebhook, deliveries.ofAlert])
        expect(comparable(await at(other))).toEqual(comparable(reference));
      await expectUnchanged();
    },
  );
});

describe("another workspace's path", () => {
  it.each(ids)('%s is refused, and changes nothing', async (id) => {
    const { own } = OPERATION_CASES[id]!;
    const answer = await send(id, {
      caller: both.a,
      path: both.b,
      ids: own.ids?.(both.b),
      body: bodyOf(own, both.b),
    });
    expect(comparable(answer)).toMatchObject({ status: 403, problem: { code: 'workspace_mismatch' } });
    await expectUnchanged();
  });
});

describe("one's own path", () => {
  let uuidsOfB: string[];
  beforeAll(async () => {
    const ofA = await uuidsOfWorkspace(both.dataSource, both.a.workspaceId);
    uuidsOfB = [...(await uuidsOfWorkspace(both.dataSource, both.b.workspaceId))].filter(
      (uuid) => !ofA.has(uuid),
    );
    expect(uuidsOfB).toEqual(expect.arrayContaining([both.b.workspaceId, both.b.jobs.completed]));
  });

  /** Rows of `b` are recognised by its mark and by uuids that no row of `a` has. */
  function expectNothingOfB(answers: readonly Answer[]): void {
    for (const { text } of answers) {
      expect(text).not.toContain(both.b.mark);
      expect(uuidsOfB.filter((uuid) => text.includes(uuid))).toEqual([]);
    }
  }

  it.each(ids.filter((id) => /^(get|list|follow|export)/.test(id)))(
    '%s shows nothing of another workspace',
    async (id) => {
      const { own, queries = [] } = OPERATION_CASES[id]!;
      const answers: Answer[] = [];
      for (const query of [undefined, ...queries])
        answers.push(await send(id, { caller: both.a, ids: own.ids?.(both.a), query }));
      for (const answer of answers) expect(answer.status).toBe(200);
      expectNothingOfB(answers);
    },
  );

  it.each(listing)('%s counts and pages only through rows of its workspace', async (id) => {
    const { own, pages } = OPERATION_CASES[id]!;
    const answers: Answer[] = [];
    let seen = 0;
    let query: Record<string, string> = { limit: '100' };
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = await send(id, { caller: both.a, ids: own.ids?.(both.a), query });
      answers.push(answer);
      const body = JSON.parse(answer.text) as Record<string, unknown>;
      seen += (body[pages!.items] as unknown[]).length;
      expect(body.total).toBeGreaterThanOrEqual(seen);
      if (body.has_more === false) {
        expect(body.total).toBe(seen);
        break;
      }
      query = {
        limit: '100',
        ...(pages!.by === 'offset' ? { offset: String(seen) } : { cursor: body.cursor as string }),
      };
    }
    expect(seen).toBeGreaterThan(0);
    expectNothingOfB(answers);
  });

  it('counts only the forums of its own posts', async () => {
    const forums = JSON.parse((await send('listForums', { caller: both.a })).text) as {
      post_count: number;
    }[];
    const { total } = JSON.parse((await send('listPosts', { caller: both.a })).text) as { total: number };
    expect(forums.reduce((sum, { post_count }) => sum + post_count, 0)).toBe(total);
  });

  it('previews alerts only on its own posts', async () => {
    const answer = await send('previewAlert', { caller: both.a, body: { keywords: ['markofb', 'markofa'] } });
    const { total } = JSON.parse((await send('listPosts', { caller: both.a })).text) as { total: number };
    expect(JSON.parse(answer.text)).toMatchObject({ posts_scanned: total, total });
    expectNothingOfB([answer]);
  });

  it("refuses another workspace's cursors, whatever the sort order", async () => {
    for (const sort_by of ['created_utc', 'score', 'num_comments', 'scraped_at']) {
      const query = { limit: '2', sort_by };
      const { text } = await send('listPosts', { caller: both.b, query });
      const { cursor } = JSON.parse(text) as { cursor: string };
      expect((await send('listPosts', { caller: both.b, query: { ...query, cursor } })).status).toBe(200);
      const answer = await send('listPosts', { caller: both.a, query: { ...query, cursor } });
      expect(comparable(answer)).toMatchObject({ status: 400, problem: { code: 'invalid_cursor' } });
    }
  });
});

describe('the same requests by the workspace of the ids', () => {
  /** Operations that changed rows of their workspace, besides those of idempotency keys. */
  const changing = new Set<string>();

  async function sendWatched(id: string, request: Request): Promise<Answer> {
    const rows = async (): Promise<string> => {
      const digests = Object.entries(await digestWorkspace(both.dataSource, request.caller.workspaceId));
      return JSON.stringify(digests.filter(([table]) => !table.startsWith('idempotency_')));
    };
    const before = await rows();
    const answer = await send(id, request);
    if ((await rows()) !== before) changing.add(id);
    return answer;
  }

  it.each(ids.filter((id) => id.startsWith('create') && OPERATION_CASES[id]!.own.ids === undefined))(
    '%s keeps idempotency keys of two workspaces apart',
    async (id) => {
      const { own } = OPERATION_CASES[id]!;
      const headers = { 'Idempotency-Key': `same-${id}` };
      const post = (caller: FilledWorkspace) => send(id, { caller, body: bodyOf(own, caller), headers });
      const before = await digestWorkspace(both.dataSource, both.b.workspaceId);
      const first = await post(both.a);
      const again = await post(both.a);
      expect(await digestWorkspace(both.dataSource, both.b.workspaceId)).toEqual(before);
      const other = await sendWatched(id, { caller: both.b, body: bodyOf(own, both.b), headers });
      expect([first, again, other].map(({ status }) => status)).toEqual([own.status, own.status, own.status]);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(other.headers.get('idempotency-replayed')).toBeNull();
      // Both workspaces get the same number of schedules.
      if (id !== 'createFeedSchedules') expect(other.text).not.toBe(first.text);
    },
  );

  const recorder = new ExampleRecorder(Contract.of(both.service));
  afterAll(() => recorder.write());

  it.each(ids)('%s succeeds and leaves other workspaces unchanged', async (id) => {
    const { own } = OPERATION_CASES[id]!;
    const before = await digestWorkspace(both.dataSource, both.a.workspaceId);
    const body = bodyOf(own, both.b);
    const answer = await sendWatched(id, { caller: both.b, ids: own.ids?.(both.b), body });
    expect([answer.status, answer.status < 300 ? '' : answer.text]).toEqual([own.status, '']);
    recorder.record(operations.get(id)!, body, answer);
    expect(await digestWorkspace(both.dataSource, both.a.workspaceId)).toEqual(before);
  });

  it('offer an idempotency key where a POST changes rows, and nowhere else', () => {
    const posts = Contract.of(both.service).operations.filter(({ method }) => method === 'post');
    const idsOfPosts = (are: (post: ContractOperation) => boolean): string[] =>
      posts.filter(are).map(({ operation }) => operation.operationId!);
    const offering = idsOfPosts(({ operation }) =>
      (operation.parameters ?? []).some((one) => 'name' in one && one.name === 'Idempotency-Key'),
    );
    // For a POST that changes nothing, such as a preview, there is the decorator `ReadOnly`.
    const watched = idsOfPosts(({ operation }) => changing.has(operation.operationId!));
    expect(offering.sort()).toEqual([...watched, 'createSignInLink'].sort());
    expect(idsOfPosts(({ operation }) => operations.has(operation.operationId!)).length).toBeGreaterThan(
      watched.length,
    );
  });
});
