import { IdempotencyService } from '../../../src/modules/idempotency/idempotency.service.js';
import { DataSource } from 'typeorm';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { Contract, ContractClient } from '../../support/contract.js';

describe('Idempotency-Key', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ContractClient;

  beforeAll(async () => {
    service = await startTestApplication();
    workspace = await service.createWorkspace();
    client = new ContractClient(service, new Contract(service), workspace.apiKey);
  });
  afterAll(() => service.close());

  const sql = <T>(text: string, parameters: unknown[] = []) =>
    service.app.get(DataSource).query<T>(text, parameters);
  const createJob = (key: string, body: unknown, apiKey = workspace.apiKey) =>
    client.post<{ id: string; code?: string }>(workspace.path('/jobs'), body, {
      headers: { 'Idempotency-Key': key },
      key: apiKey,
    });

  it('replays the first answer, status and body, and does nothing again', async () => {
    const first = await createJob('replay', { target: 'technology', limit: 5 });
    const repeat = await createJob('replay', { limit: 5, target: 'technology' });
    expect([first.status, repeat.status]).toEqual([201, 201]);
    expect(repeat.body).toEqual(first.body);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    const { body } = await client.get<{ total: number }>(workspace.path('/jobs'));
    expect(body.total).toBe(1);
  });

  it('refuses another body with 422', async () => {
    await createJob('reused', { target: 'technology' });
    const other = await createJob('reused', { target: 'programming' });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('refuses the same body at another address with 422', async () => {
    await createJob('address', { name: 'x', target: 'technology' }).catch(() => undefined);
    const body = { target: 'technology', cron_expression: '@hourly' };
    await client.post(workspace.path('/schedules'), body, { headers: { 'Idempotency-Key': 'address-2' } });
    const other = await client.post<{ code: string }>(workspace.path('/jobs'), body, {
      headers: { 'Idempotency-Key': 'address-2' },
    });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('refuses repeats with 409 while the first is at work, and lets one of many through', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => createJob('together', { target: 'together' })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    for (const { status, body, headers } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.code]).toEqual([409, 'idempotency_conflict']);
      expect(headers.get('retry-after')).toBe('1');
    }
    const { body } = await client.get<{ jobs: { target: string }[] }>(workspace.path('/jobs'));
    expect(body.jobs.filter(({ target }) => target === 'together')).toHaveLength(1);
  });

  it('answers 409 from the stored beginning, and takes over when its time is up', async () => {
    await createJob('crashed', { target: 'crashed' });
    await sql(`UPDATE idempotency_keys SET status = NULL, sealed_body = NULL WHERE key = 'crashed'`);
    expect((await createJob('crashed', { target: 'crashed' })).body.code).toBe('idempotency_conflict');
    await sql(`UPDATE idempotency_keys SET lease_until = now() - interval '1 second' WHERE key = 'crashed'`);
    expect((await createJob('crashed', { target: 'crashed' })).status).toBe(201);
  });

  it('keeps no refusal, so that a corrected request may use the same key', async () => {
    expect((await createJob('mended', { target: '' })).status).toBe(400);
    expect((await createJob('mended', { target: 'mended' })).status).toBe(201);
  });

  it('forgets after 24 hours and removes what has expired', async () => {
    const first = await createJob('old', { target: 'old' });
    await createJob('older', { target: 'old' });
    await sql(
      `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key IN ('old', 'older')`,
    );
    const again = await createJob('old', { target: 'another' });
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(first.body.id);
    await service.app.get(IdempotencyService, { strict: false }).pruneBatch();
    expect(await sql(`SELECT key FROM idempotency_keys WHERE key IN ('old', 'older')`)).toEqual([
      { key: 'old' },
    ]);
  });

  it('replays a new API key without ever storing it in clear', async () => {
    const create = () =>
      client.post<{ key: string }>(
        workspace.path('/api-keys'),
        { name: 'secret' },
        { headers: { 'Idempotency-Key': 'key' } },
      );
    const { key } = (await create()).body;
    expect((await create()).body.key).toBe(key);
    const [{ dump }] = await sql<[{ dump: string }]>(
      `SELECT string_agg(row_to_json(k)::text, '') || (SELECT string_agg(row_to_json(a)::text, '') FROM api_keys a) AS dump
       FROM idempotency_keys k`,
    );
    expect(dump).not.toContain(key);
    expect(dump).not.toContain(Buffer.from(key).toString('base64url').slice(0, 40));
  });

  it('means another request with another API key', async () => {
    const { body } = await client.post<{ key: string }>(workspace.path('/api-keys'), {
      name: 'w',
      scopes: ['write'],
    });
    const mine = await createJob('shared', { target: 'x' });
    const theirs = await createJob('shared', { target: 'y' }, body.key);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
  });

  it.each([
    ['x'.repeat(255), 201],
    ['x'.repeat(256), 400],
    ['with space', 400],
    ['\u00e9', 400],
  ])('takes 1 to 255 visible ASCII characters: %.12s gets %i', async (key, status) => {
    expect((await createJob(key, { target: 'shape' })).status).toBe(status);
  });
});
