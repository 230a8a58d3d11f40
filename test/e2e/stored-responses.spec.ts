import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { IdempotencyRepository } from '../../src/access/idempotency/idempotency.repository.js';
import { IdempotencyService } from '../../src/access/idempotency/idempotency.service.js';
import { QuotasService } from '../../src/tenants/usage/quotas.service.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';

const DAY_MS = 86_400_000;
const TIMES = { keptMs: DAY_MS, leaseMs: 60_000 };
const NO_LIMITS = { keys: Infinity, bytes: Infinity };

interface Usage {
  quotas: Record<string, { limit: number; used: number }>;
}

let workspace: TestWorkspace;

const service = await startTestApplication({ ROLES: 'api' });
beforeEach(async () => void (workspace = await service.createWorkspace()));

const sql = <Row>(text: string, ...parameters: unknown[]): Promise<Row[]> =>
  service.app.get(DataSource).query<Row[]>(text, [workspace.workspaceId, ...parameters]);
const limitTo = async (quotas: Record<string, number>) => {
  await sql('UPDATE workspaces SET quotas = $2 WHERE id = $1', JSON.stringify(quotas));
  // The process uses the new limits at once.
  await service.get(QuotasService).limits(workspace.workspaceId);
};
const createSearch = (key: string | null, name = key) => {
  const request = requestAs(service, workspace, 'POST', '/searches');
  return (key === null ? request : request.set('Idempotency-Key', key)).send({ name, of: 'posts', q: 'a' });
};
const searches = async () =>
  (await sql<{ name: string }>('SELECT name FROM saved_searches WHERE workspace_id = $1 ORDER BY 1')).map(
    ({ name }) => name,
  );
const storedKeys = async () =>
  (await sql<{ key: string }>('SELECT key FROM idempotency_keys WHERE workspace_id = $1 ORDER BY 1')).map(
    ({ key }) => key,
  );
/** The counted responses, and what a count of the rows gives. */
const counts = async () => {
  const [counted] = await sql<{ keys: number; bytes: string }>(
    'SELECT keys, bytes FROM idempotency_usage WHERE workspace_id = $1',
  );
  const [actual] = await sql<{ keys: number; bytes: string }>(
    `SELECT count(*)::int AS keys, coalesce(sum(octet_length(sealed_body)), 0) AS bytes FROM idempotency_keys
     WHERE workspace_id = $1 AND status IS NOT NULL`,
  );
  return { counted, actual: actual! };
};

describe('responses to requests that change nothing', () => {
  it.each([
    ['/alerts/preview', { keywords: ['a'] }],
    ['/sources/resolve', { url: 'https://www.reddit.com/r/technology' }],
  ])('of POST %s are not stored, and a repeat is carried out', async (path, body) => {
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const { status, headers } = await requestAs(service, workspace, 'POST', path)
        .set('Idempotency-Key', 'same')
        .send(body);
      expect([status, headers['idempotency-replayed']]).toEqual([200, undefined]);
    }
    expect(await storedKeys()).toEqual([]);
  });

  it('of tools for assistants are not stored', async () => {
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        'X-API-Key': workspace.apiKey,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'Idempotency-Key': 'same',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(200);
    expect(await storedKeys()).toEqual([]);
  });
});

describe('the responses stored for a workspace', () => {
  it('are refused beyond their number before the request is carried out', async () => {
    await limitTo({ idempotency_keys: 2 });
    await createSearch('a').expect(201);
    await createSearch('b').expect(201);
    const refused = await createSearch('c').expect(403);
    expect(refused.body).toMatchObject({
      code: 'quota_exceeded',
      quota: 'idempotency_keys',
      limit: 2,
      used: 2,
      detail: expect.stringContaining('Send no Idempotency-Key until older ones expire') as string,
    });
    expect(await searches()).toEqual(['a', 'b']);
    expect(await storedKeys()).toEqual(['a', 'b']);
  });

  it('are refused beyond their size', async () => {
    await limitTo({ idempotency_bytes: 1 });
    await createSearch('a').expect(201);
    const { counted } = await counts();
    const refused = await createSearch('b').expect(403);
    expect(refused.body).toMatchObject({
      code: 'quota_exceeded',
      quota: 'idempotency_bytes',
      limit: 1,
      used: Number(counted!.bytes),
    });
    expect(await searches()).toEqual(['a']);
  });

  it('are replayed beyond the limit, and other requests are carried out', async () => {
    const first = await createSearch('a').expect(201);
    await limitTo({ idempotency_keys: 1, idempotency_bytes: 1 });
    await createSearch('b').expect(403);
    const repeat = await createSearch('a').expect(201);
    expect([repeat.body, repeat.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
    await createSearch('a', 'another').expect(422);
    await createSearch(null, 'without a key').expect(201);
    expect(await searches()).toEqual(['a', 'without a key']);
  });

  it('make room when they expire', async () => {
    await limitTo({ idempotency_keys: 2 });
    for (const key of ['a', 'b']) await createSearch(key).expect(201);
    await sql(`UPDATE idempotency_keys SET created_at = now() - interval '23:59' WHERE workspace_id = $1`);
    await createSearch('c').expect(403);
    await sql(
      `UPDATE idempotency_keys SET created_at = now() - interval '24:01' WHERE workspace_id = $1 AND key = 'a'`,
    );
    await createSearch('c').expect(201);
    expect(await storedKeys()).toEqual(['b', 'c']);
    await createSearch('d').expect(403);
  });

  it('are not those of refused requests, or of one whose process ended', async () => {
    await limitTo({ idempotency_keys: 1 });
    await createSearch('refused', '').expect(400);
    expect(await storedKeys()).toEqual([]);
    await createSearch('a').expect(201);
    await sql(
      `UPDATE idempotency_keys SET status = NULL, sealed_body = NULL, lease_until = now() WHERE workspace_id = $1`,
    );
    await createSearch('b').expect(201);
    await createSearch('a', 'a').expect(201);
    expect(await storedKeys()).toEqual(['a', 'b']);
  });

  it('have no limit with a limit of 0', async () => {
    await limitTo({ idempotency_keys: 0, idempotency_bytes: 0 });
    for (const key of ['a', 'b', 'c']) await createSearch(key).expect(201);
    const { quotas } = await call<Usage>(service, workspace, 'GET', '/usage');
    const { counted } = await counts();
    expect([quotas.idempotency_keys, quotas.idempotency_bytes]).toEqual([
      { limit: 0, used: 3 },
      { limit: 0, used: Number(counted!.bytes) },
    ]);
  });

  it('are limited to 10,000 and 50 MiB', async () => {
    const { quotas } = await call<Usage>(service, workspace, 'GET', '/usage');
    expect([quotas.idempotency_keys, quotas.idempotency_bytes]).toEqual([
      { limit: 10_000, used: 0 },
      { limit: 52_428_800, used: 0 },
    ]);
  });

  it('are counted exactly, whatever ends them', async () => {
    const idempotency = service.get(IdempotencyService);
    await Promise.all(Array.from({ length: 12 }, (_, key) => createSearch(`key${key}`).expect(201)));
    await createSearch('key0').expect(201);
    await createSearch('refused', '').expect(400);
    const checked = async (keys: number) => {
      const { counted, actual } = await counts();
      expect([counted, actual.keys]).toEqual([actual, keys]);
    };
    await checked(12);
    const age = (keys: string[]) =>
      sql(
        `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE workspace_id = $1 AND key = ANY ($2)`,
        keys,
      );
    await age(['key1', 'key2', 'key3']);
    await createSearch('key1', 'anew').expect(201);
    await checked(12);
    await idempotency.pruneBatch();
    await checked(10);
    await idempotency.forget(workspace.workspaceId, 'key4');
    await checked(9);
    await sql('DELETE FROM idempotency_keys WHERE workspace_id = $1');
    await checked(0);
  });

  it('are not read to count them when a request begins', async () => {
    const statements: [string, unknown[]][] = [];
    const recording = {
      query: (text: string, parameters: unknown[]) =>
        Promise.resolve(void statements.push([text, parameters])).then(() => []),
    } as unknown as DataSource;
    const begin = { workspaceId: workspace.workspaceId, apiKeyId: randomUUID(), key: 'new' };
    await new IdempotencyRepository(recording).begin(
      workspace.workspaceId,
      begin,
      Buffer.from('a'),
      TIMES,
      NO_LIMITS,
    );
    const [[text, parameters]] = statements as [[string, unknown[]]];
    interface Step {
      'Actual Rows': number;
      'Actual Loops': number;
      'Rows Removed by Filter'?: number;
      Plans?: Step[];
    }
    const read = (step: Step): number =>
      (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'] +
      (step.Plans ?? []).reduce((sum, one) => sum + read(one), 0);
    const rows: number[] = [];
    for (const from of [0, 500, 1_000, 2_000]) {
      await sql(
        `INSERT INTO idempotency_keys (workspace_id, api_key_id, key, fingerprint, lease_until, created_at)
         SELECT $1, gen_random_uuid(), number, '', now(), now() FROM generate_series($2::int + 1, greatest(500, $2::int * 2)) AS number`,
        from,
      );
      await sql('UPDATE idempotency_keys SET status = 201 WHERE workspace_id = $1 AND status IS NULL');
      await service.app.get(DataSource).query('ANALYZE idempotency_keys, idempotency_usage');
      const runner = service.app.get(DataSource).createQueryRunner();
      await runner.startTransaction();
      const [plan] = (await runner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, parameters)) as [
        { 'QUERY PLAN': [{ Plan: Step }] },
      ];
      await runner.rollbackTransaction();
      await runner.release();
      rows.push(read(plan['QUERY PLAN'][0].Plan));
    }
    expect(Math.max(...rows)).toBeLessThan(50);
  });
});

describe('a response that is too large to keep', () => {
  const LARGEST = 1_048_576 - '""'.length;

  it.each([
    ['is replayed', LARGEST, true],
    ['is not stored', LARGEST + 1, false],
  ])('%s with %i characters', async (_, length, isKept) => {
    const idempotency = service.get(IdempotencyService);
    const owner = { workspaceId: workspace.workspaceId, apiKeyId: randomUUID(), key: 'large' };
    const begun = (await idempotency.begin(owner, Buffer.from('a'))) as {
      held: typeof owner & { lease: string };
    };
    const body = 'x'.repeat(length);
    await idempotency.complete(begun.held, { status: 201, body });
    const repeat = idempotency.begin(owner, Buffer.from('a'));
    if (isKept) expect(await repeat).toEqual({ answer: { status: 201, body } });
    else
      await expect(repeat).rejects.toMatchObject({
        code: 'idempotency_conflict',
        message: expect.stringContaining('took effect with status 201') as string,
      });
    await sql(`UPDATE idempotency_keys SET lease_until = now() - interval '1 hour' WHERE workspace_id = $1`);
    if (!isKept) await expect(idempotency.begin(owner, Buffer.from('a'))).rejects.toThrow('took effect');
    const { counted, actual } = await counts();
    expect([counted, actual.keys]).toEqual([actual, 1]);
  });
});
