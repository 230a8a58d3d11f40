import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { printCheck, printEntries } from '../../src/cli/audit-log.js';
import { checkAuditLog } from '../../src/cli/diagnosis/audit-checks.js';
import { withinWorkspace } from '../../src/common/work-scope.js';
import type { RunSql } from '../../src/database/run-sql.js';
import { AuditChainRepository } from '../../src/access/audit/audit-chain.repository.js';
import { AuditRepository } from '../../src/access/audit/audit.repository.js';
import { chainEnds, checkChain } from '../../src/access/audit/read-chain.js';
import { createTestDatabase, openDataSource, type TestDatabase } from '../support/database.js';
import { jest } from '@jest/globals';

const WORKSPACE = randomUUID();

describe('the chain of audit entries', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let chain: AuditChainRepository;
  let entries: AuditRepository;
  const run: RunSql = (sql) => dataSource.query(sql);

  beforeEach(async () => {
    database = await createTestDatabase();
    dataSource = await openDataSource(database.url);
    chain = new AuditChainRepository(dataSource);
    entries = new AuditRepository(dataSource);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
    await database.drop();
  });

  async function add(count: number, status: number | null = 201): Promise<string[]> {
    const ids = Array.from({ length: count }, () => randomUUID());
    for (const id of ids)
      await entries.insert(
        {
          id,
          actor: 'api_key',
          actorName: 'rp_1',
          ip: '192.0.2.1',
          action: 'createJob',
          targetWorkspaceId: WORKSPACE,
          resource: { b: '2', a: '1' },
          fields: ['target'],
          requestId: null,
        },
        status,
      );
    return ids;
  }

  it('has every entry once, in order, when several processes seal at the same time', async () => {
    await add(60);
    while ((await Promise.all([1, 2, 3].map(() => chain.seal(7)))).some((sealed) => sealed > 0));
    expect(await checkChain(run, 0n)).toEqual({ checked: 60 });
    const rows = await run<{ isOrdered: boolean }>(
      `SELECT bool_and(recorded_at >= before) AS "isOrdered" FROM (
         SELECT recorded_at, lag(recorded_at, 1, recorded_at) OVER (ORDER BY sequence) AS before FROM audit_entries) AS e`,
    );
    expect(rows).toEqual([{ isOrdered: true }]);
  });

  it('waits for the outcome of an entry, for a day, and then never changes it', async () => {
    const [id] = await add(1, null);
    expect(await chain.seal(10)).toBe(0);
    await run(`UPDATE audit_entries SET recorded_at = recorded_at - interval '25 hours'`);
    expect(await chain.seal(10)).toBe(1);
    await entries.finish(id!, { status: 200, targetWorkspaceId: null, resource: {} });
    await entries.discard(id!);
    expect(await checkChain(run, 0n)).toEqual({ checked: 1 });
  });

  it.each([
    [`UPDATE audit_entries SET ip = '192.0.2.2' WHERE sequence = 3`, { sequence: '3', fault: 'changed' }],
    [
      `UPDATE audit_entries SET resource = '{"a": "1"}' WHERE sequence = 3`,
      { sequence: '3', fault: 'changed' },
    ],
    [`UPDATE audit_entries SET hash = '' WHERE sequence = 3`, { sequence: '3', fault: 'changed' }],
    ['DELETE FROM audit_entries WHERE sequence = 3', { sequence: '3', fault: 'missing' }],
    ['DELETE FROM audit_entries WHERE sequence = 1', { sequence: '1', fault: 'missing' }],
    ['DELETE FROM audit_entries WHERE sequence = 5', { sequence: '5', fault: 'missing' }],
    [
      `DELETE FROM audit_entries WHERE sequence = 3; UPDATE audit_entries SET sequence = sequence - 1 WHERE sequence > 3;
       UPDATE audit_chain SET sequence = 4`,
      { sequence: '3', fault: 'changed' },
    ],
  ])('shows %s', async (tampering, fault) => {
    await add(5);
    await chain.seal(10);
    await run(tampering);
    expect(await checkChain(run, 0n)).toEqual(fault);
    expect(await checkAuditLog(run)).toMatchObject({
      check: 'audit_log',
      status: 'problem',
      message: expect.stringContaining(`Audit entry ${fault.sequence}`) as string,
    });
  });

  it('is checked from any entry on, and after old entries were deleted', async () => {
    await add(9);
    await chain.seal(20);
    await run(
      `UPDATE audit_entries SET recorded_at = recorded_at - interval '9 days' WHERE sequence IN (1, 2, 3, 5)`,
    );
    // The fourth entry is new, so the fifth stays as well.
    expect(await chain.deleteOlderThan(7, 2)).toBe(2);
    expect(await chain.deleteOlderThan(7, 10)).toBe(1);
    expect(await chain.deleteOlderThan(7, 10)).toBe(0);
    expect((await chainEnds(run))!.begin.sequence).toBe(3n);
    expect(await checkChain(run, 5n)).toEqual({ checked: 4 });
    expect(await checkChain(run, 0n)).toEqual({ sequence: '5', fault: 'changed' });
  });

  it('is reported by doctor when nothing seals new entries', async () => {
    await add(2);
    expect(await checkAuditLog(run)).toMatchObject({ status: 'ok' });
    await run(`UPDATE audit_entries SET recorded_at = recorded_at - interval '2 minutes'`);
    expect(await checkAuditLog(run)).toMatchObject({
      status: 'warning',
      message: '2 audit entries have not been sealed for more than a minute',
    });
  });

  it('is printed as one JSON object a line, from an entry on, and checked by a command', async () => {
    const ids = await add(3);
    await chain.seal(10);
    const written: string[] = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    await printEntries(run, 1n);
    jest.restoreAllMocks();
    const lines = written.join('').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { id: ids[1], sequence: 2, status: 201, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      { id: ids[2], sequence: 3, actor_name: 'rp_1' },
    ]);
    const printed = jest.spyOn(console, 'log').mockReturnValue();
    await printCheck(run, 1n);
    expect(printed).toHaveBeenCalledWith('2 audit entries are complete and unchanged');
    await run('DELETE FROM audit_entries WHERE sequence = 2');
    await expect(printCheck(run, 0n)).rejects.toThrow('Audit entry 2 is missing');
  });

  it('takes entries from requests, which may neither read nor change nor delete them', async () => {
    await run(`INSERT INTO workspaces (id, name) VALUES ('${WORKSPACE}', 'w')`);
    const [id] = await withinWorkspace(WORKSPACE, () => add(1, null));
    for (const statement of [
      'SELECT id FROM audit_entries',
      `UPDATE audit_entries SET status = 1`,
      'DELETE FROM audit_entries',
    ])
      await expect(withinWorkspace(WORKSPACE, () => dataSource.query(statement))).rejects.toMatchObject({
        code: '42501',
      });
    await withinWorkspace(WORKSPACE, () =>
      entries.finish(id!, { status: 200, targetWorkspaceId: null, resource: {} }),
    );
    expect(await entries.list({ workspaceId: WORKSPACE }, null, 9)).toMatchObject([{ id, status: 200 }]);
  });
});
