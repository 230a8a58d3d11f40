import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { TenantRowsRepository } from '../../src/privacy/workspaces/tenant-rows.repository.js';
import { WorkspaceDeleter } from '../../src/privacy/workspaces/workspace-deleter.js';
import { WorkspacesRepository } from '../../src/tenants/workspaces/workspaces.repository.js';
import { WorkspacesService } from '../../src/access/workspaces/workspaces.service.js';
import { requestAs } from '../support/client.js';
import { digestWorkspace } from '../support/rows.js';
import { startTwoWorkspaces } from '../support/two-workspaces.js';

const MAX_BATCHES = 2_000;

const both = await startTwoWorkspaces();

describe('the deletion of a workspace', () => {
  const tenantTables = async (): Promise<string[]> => {
    const rows = await both.dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'workspace_id' ORDER BY table_name`,
    );
    return rows.map(({ name }) => name);
  };
  const rowsOf = async (workspaceId: string): Promise<Record<string, number>> => {
    const counts = await Promise.all(
      (await tenantTables()).map(async (name) => {
        const [row] = await both.dataSource.query<{ count: number }[]>(
          `SELECT count(*)::integer AS count FROM "${name}" WHERE workspace_id = $1`,
          [workspaceId],
        );
        return [name, row!.count] as const;
      }),
    );
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  };
  /** Never initialised, so that it executes no job and deletes nothing by itself. */
  const worker = async (): Promise<INestApplication> => {
    const module = await Test.createTestingModule({
      imports: [AppModule.for({ ...both.service.environment, ROLES: ['worker'] })],
    }).compile();
    return module.createNestApplication();
  };

  it('covers every table with rows of workspaces, referring tables first', async () => {
    const app = await worker();
    try {
      const { tables, exported } = app.get(TenantRowsRepository, { strict: false });
      const names = tables.map(({ name }) => name);
      expect([...names].sort()).toEqual(await tenantTables());
      expect(names.filter((name) => !exported.includes(name)).sort()).toEqual([
        'arrivals',
        'search_blocks',
        'search_changes',
        'search_segments',
      ]);
      const references = await both.dataSource.query<{ child: string; parent: string }[]>(
        `SELECT DISTINCT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint
         WHERE contype = 'f' AND confrelid <> 'workspaces'::regclass AND conrelid <> confrelid`,
      );
      expect(references.length).toBeGreaterThan(3);
      expect(references.filter(({ child, parent }) => names.indexOf(child) > names.indexOf(parent))).toEqual(
        [],
      );
    } finally {
      await app.close();
    }
  });

  it('is refused while a worker executes a job of the workspace', async () => {
    const { workspaceId, jobs } = both.a;
    await both.dataSource.query(
      `INSERT INTO job_executions (workspace_id, job_id, is_small, lease_owner, lease_until, attempts, keywords_version)
       VALUES ($1, $2, true, 'a worker', now() + interval '1 hour', 1, 0)`,
      [workspaceId, jobs.running],
    );
    await both.service.get(WorkspacesService).requestDeletion(workspaceId);
    const before = await rowsOf(workspaceId);
    const app = await worker();
    try {
      const deleter = app.get(WorkspaceDeleter, { strict: false });
      expect(await deleter.deleteBatch(workspaceId, 1)).toBe(false);
      expect(await rowsOf(workspaceId)).toEqual(before);
      await both.dataSource.query('UPDATE job_executions SET lease_until = now() WHERE workspace_id = $1', [
        workspaceId,
      ]);
      expect(await deleter.deleteBatch(workspaceId, 1)).toBe(true);
    } finally {
      await app.close();
      await both.dataSource.query('DELETE FROM job_executions WHERE workspace_id = $1', [workspaceId]);
      await both.dataSource.query(`UPDATE workspaces SET status = 'active', deletion = NULL WHERE id = $1`, [
        workspaceId,
      ]);
    }
  });

  it('is not accompanied by retention of the same rows', async () => {
    const { a, b } = both;
    const workspaces = both.service.get(WorkspacesRepository);
    await both.dataSource.query(
      `UPDATE workspaces SET retention_days = '{"posts": 30}',
         status = CASE WHEN id = $1 THEN 'deleting' ELSE status END WHERE id IN ($1, $2)`,
      [a.workspaceId, b.workspaceId],
    );
    try {
      expect(await workspaces.listRetaining()).toEqual([
        { workspaceId: b.workspaceId, kind: 'posts', days: 30 },
      ]);
    } finally {
      await both.dataSource.query(`UPDATE workspaces SET retention_days = '{}', status = 'active'`);
    }
  });

  it('removes everything of the workspace and nothing of others', async () => {
    const { a, b, service } = both;
    const media = (workspaceId: string) => join(service.environment.DATA_DIR, 'media', workspaceId);
    const exportOf = (workspaceId: string) =>
      join(service.environment.DATA_DIR, 'media', 'exports', workspaceId, 'an-export');
    for (const { workspaceId } of [a, b]) {
      await mkdir(exportOf(workspaceId), { recursive: true });
      await writeFile(join(exportOf(workspaceId), 'part'), 'rows');
    }
    const kept = await digestWorkspace(both.dataSource, b.workspaceId);
    const files = await readdir(media(b.workspaceId), { recursive: true });
    expect(Object.keys(await rowsOf(a.workspaceId)).length).toBeGreaterThan(12);
    expect(existsSync(media(a.workspaceId))).toBe(true);

    const first = await worker();
    const workspaces = service.get(WorkspacesService);
    const repository = service.get(WorkspacesRepository);
    await workspaces.requestDeletion(a.workspaceId);
    expect(await repository.findInactive()).toEqual(new Map([[a.workspaceId, 'deleting']]));
    const deleter = first.get(WorkspaceDeleter, { strict: false });
    for (let n = 0; n < 3; n += 1) expect(await deleter.deleteBatch(a.workspaceId, 2)).toBe(true);
    const { deletion } = (await repository.find(a.workspaceId))!;
    expect(deletion!.rows).toBeGreaterThanOrEqual(5);
    await first.close();

    const second = await worker();
    try {
      const next = second.get(WorkspaceDeleter, { strict: false });
      let batches = 0;
      while ((await repository.find(a.workspaceId)) !== null && batches < MAX_BATCHES) {
        await next.deleteBatch(a.workspaceId, 50);
        batches += 1;
      }
      expect(batches).toBeLessThan(MAX_BATCHES);
    } finally {
      await second.close();
    }
    expect(await rowsOf(a.workspaceId)).toEqual({});
    expect(existsSync(media(a.workspaceId))).toBe(false);
    expect([existsSync(exportOf(a.workspaceId)), existsSync(exportOf(b.workspaceId))]).toEqual([false, true]);
    expect(await digestWorkspace(both.dataSource, b.workspaceId)).toEqual(kept);
    expect(await readdir(media(b.workspaceId), { recursive: true })).toEqual(files);
    expect((await requestAs(service, a, 'GET', '/jobs')).status).toBe(401);
    expect((await requestAs(service, b, 'GET', '/jobs')).status).toBe(200);
  });
});
