import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import type { DatasetDto } from '../../src/takeout/datasets/dto/dataset.dto.js';
import type { ErasureDto } from '../../src/privacy/erasures/dto/erasure.dto.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { until } from '../support/until.js';

const SCHEDULER = join(import.meta.dirname, 'killed-erasure-process.js');
const TIMEOUT_MS = 180_000;
const MOMENTS = [
  'comments are erased and posts are not',
  'a file of a dataset is replaced and not removed',
  'datasets are erased and other traces are not',
  'other traces are erased and it is not recorded',
];
const AUTHOR = 'zqxkilled';

const service = await startTestApplication({ ROLES: 'api,worker' });
const dataSource = service.app.get(DataSource);
const workspace = await service.createWorkspace();

describe('an erasure whose processes are killed', () => {
  beforeAll(async () => {
    const posts = [1, 2, 3].map((number) => aPost(number, { author: number === 3 ? 'other' : AUTHOR }));
    await storePosts(service, workspace.workspaceId, posts);
    const comments = posts.map(({ id }, number) => aComment(number + 1, { postId: id, author: AUTHOR }));
    await storeComments(service, workspace.workspaceId, comments);
    for (const of of ['posts', 'comments']) await send('POST', '/datasets', { name: of, of });
    await until(
      () => send<{ datasets: DatasetDto[] }>('GET', '/datasets'),
      ({ datasets }) => datasets.every(({ status }) => status === 'completed'),
    );
  });

  const send = <T>(method: 'GET' | 'POST', path: string, body?: object) =>
    call<T>(service, workspace, method, path, body);

  /** Runs a scheduler until it kills itself. */
  async function killedWhen(moment: string): Promise<void> {
    const { DATABASE_URL, REDIS_URL, DATA_DIR } = service.environment;
    const servers = { DATABASE_URL, REDIS_URL, DATA_DIR, HOST: '127.0.0.1', PORT: '0' };
    const scheduler = fork(SCHEDULER, [moment], {
      env: { ...process.env, ...servers, ROLES: 'scheduler', LOG_LEVEL: 'silent' },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const exit = await once(scheduler, 'exit', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    expect(exit).toEqual([null, 'SIGKILL']);
    // The lease ends, without time passing.
    await dataSource.query('UPDATE erasures SET lease_until = NULL');
  }

  it('is continued where it stopped, and leaves nothing', async () => {
    const { id } = await send<ErasureDto>('POST', '/erasures', { author: AUTHOR });
    for (const moment of MOMENTS) {
      await killedWhen(moment);
      expect(await send<ErasureDto>('GET', `/erasures/${id}`)).toMatchObject({ completed_at: null });
    }
    await startTestApplication({
      ROLES: 'scheduler',
      DATABASE_URL: service.environment.DATABASE_URL!,
      DATA_DIR: service.environment.DATA_DIR,
    });
    const { removed } = await until(
      () => send<ErasureDto>('GET', `/erasures/${id}`),
      ({ status }) => status === 'completed',
      { timeoutMs: TIMEOUT_MS },
    );
    expect(removed).toMatchObject({ posts: 2, comments: 3, dataset_rows: 5 });
    const { datasets } = await send<{ datasets: DatasetDto[] }>('GET', '/datasets');
    expect(datasets.map(({ rows, erased_rows }) => [rows, erased_rows])).toEqual([
      [0, 3],
      [1, 2],
    ]);
    const folder = join(service.environment.DATA_DIR, 'media/datasets');
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    );
    expect(files).toHaveLength(2);
    for (const { parentPath, name } of files)
      expect(await readFile(join(parentPath, name), 'latin1')).not.toContain(AUTHOR);
  });
});
