import { createHash } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TransactionRunner } from '../../database/transaction-runner.js';
import type { Sql } from '../../database/sql.js';
import type { MediaStaging } from '../../content/media/media-staging.js';
import type { MediaStore } from '../../content/media/media-store.js';
import type { ExportCopy } from './export-copy.js';
import { ExportExecutor, PART_LIMITS, selectPart } from './export-executor.js';
import type { ExportJob, ExportPart } from './export-job.entity.js';
import type { ExportLeasesRepository } from './export-leases.repository.js';
import type { Pseudonyms } from './pseudonyms.js';
import type { ExportQuota } from './export-quota.js';
import { EXPORTED_TABLES } from './exported-table.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const JOB = {
  workspaceId: 'w',
  id: 'e',
  kind: 'posts',
  format: 'csv',
  compression: null,
  changedSince: null,
  columns: null,
  byteOrderMark: false,
  pseudonymize: false,
};

describe('ExportExecutor', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  it('records the size, SHA-256, number of rows and last id of each part', async () => {
    const row = (id: string) => EXPORTED_TABLES.posts.fields.map(({ name }) => (name === 'id' ? id : null));
    let file = Buffer.alloc(0);
    let recorded: ExportPart | undefined;
    const executor = new ExportExecutor(
      {
        // eslint-disable-next-line @typescript-eslint/require-await
        batches: async function* () {
          yield [row('t3_1'), row('t3_2')];
        },
      } as unknown as ExportCopy,
      {
        lastPart: () => Promise.resolve(null),
        recordPart: (part: ExportPart) => Promise.resolve((recorded = part) === part),
      } as unknown as ExportLeasesRepository,
      { run: (work: (tx: object) => unknown) => work({}) } as unknown as TransactionRunner,
      { folder: () => Promise.resolve(folder) } as unknown as MediaStaging,
      {
        requireSpace: () => Promise.resolve(),
        keep: async (path: string) => void (file = await readFile(path)),
      } as unknown as MediaStore,
      { enforce: () => Promise.resolve() } as unknown as ExportQuota,
      {} as Pseudonyms,
    );
    await executor.execute(
      { ...JOB, byteOrderMark: true, filters: {} } as ExportJob,
      'owner',
      new AbortController().signal,
    );
    expect(file.toString('utf8')).toMatch(/^\ufeff/);
    expect(recorded).toMatchObject({
      number: 1,
      rows: 2,
      lastId: 't3_2',
      bytes: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
    });
  });

  it('begins a new part at a limit, after the last row of the one before', async () => {
    const limits = { ...PART_LIMITS };
    Object.assign(PART_LIMITS, { rows: 2 });
    try {
      const ids = ['t3_1', 't3_2', 't3_3', 't3_4', 't3_5'];
      const row = (id: string) => EXPORTED_TABLES.posts.fields.map(({ name }) => (name === 'id' ? id : null));
      const recorded: ExportPart[] = [];
      const executor = new ExportExecutor(
        {
          // eslint-disable-next-line @typescript-eslint/require-await
          batches: async function* (_workspaceId: string, { parameters }: Sql) {
            const after = parameters.find((one) => typeof one === 'string' && one.startsWith('t3_'));
            for (const id of ids.filter((one) => after === undefined || one > (after as string)))
              yield [row(id)];
          },
        } as unknown as ExportCopy,
        {
          lastPart: () => Promise.resolve(null),
          recordPart: (part: ExportPart) => Promise.resolve(recorded.push(part) > 0),
        } as unknown as ExportLeasesRepository,
        { run: (work: (tx: object) => unknown) => work({}) } as unknown as TransactionRunner,
        {
          folder: () => mkdtemp(join(folder, 'part-')),
        } as unknown as MediaStaging,
        { requireSpace: () => Promise.resolve(), keep: () => Promise.resolve() } as unknown as MediaStore,
        { enforce: () => Promise.resolve() } as unknown as ExportQuota,
        {} as Pseudonyms,
      );
      await executor.execute({ ...JOB, filters: {} } as ExportJob, 'owner', new AbortController().signal);
      expect(recorded.map(({ number, rows, lastId }) => [number, rows, lastId])).toEqual([
        [1, 2, 't3_2'],
        [2, 2, 't3_4'],
        [3, 1, 't3_5'],
      ]);
      const incremental = { ...JOB, kind: 'posts', filters: {}, changedSince: '700' } as unknown as ExportJob;
      const { text, parameters } = selectPart(incremental, 't3_4');
      expect(parameters).toEqual(expect.arrayContaining(['700', 't3_4', 2]));
      expect(text).toMatch(/xmin.* AND id > \$\d+::text ORDER BY id LIMIT \$\d+$/);
    } finally {
      Object.assign(PART_LIMITS, limits);
    }
  });
});
