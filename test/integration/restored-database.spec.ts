import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createApplication } from '../../src/application.js';
import { readManifest } from '../../src/cli/backups/manifest.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aPost } from '../factories/posts.js';
import { clusterUrls, distribute, runOnServer } from '../support/cluster.js';
import { createDatabaseWithoutTables, type TestDatabase } from '../support/database.js';
import { startTwoWorkspaces, type TwoWorkspaces } from '../support/two-workspaces.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const CLI = join(import.meta.dirname, '../../src/cli');
const TIMEOUT_MS = 300_000;
/** Their ids are given again in the restored database. */
const NUMBERED_AGAIN = ['post_count_deltas', 'comment_count_deltas'];

describe('a backup restored into a database of its own', () => {
  let folder: string;
  let both: TwoWorkspaces;
  let restored: TestDatabase;
  const at = (name: string): string => join(folder, name);

  beforeAll(async () => {
    folder = await temporaryFolder();
    both = await startTwoWorkspaces();
    restored = await createDatabaseWithoutTables();
    const { DATABASE_URL, DATA_DIR } = both.service.environment;
    await run('backup', ['--to', at('first')], { DATABASE_URL, DATA_DIR });
    await restore();
    if (clusterUrls() !== null) await distribute(restored.url);
  }, TIMEOUT_MS);

  /** Runs a command; rejects with what it wrote to standard error when it fails. */
  function run(program: string, args: string[], variables: NodeJS.ProcessEnv): Promise<string> {
    return new Promise((resolve, reject) =>
      execFile(
        process.execPath,
        [join(CLI, `${program}.js`), ...args],
        { env: { PATH: process.env.PATH, ...variables } },
        (error, stdout, stderr) => (error === null ? resolve(stdout) : reject(new Error(stderr))),
      ),
    );
  }
  const restore = (dataDir = 'data'): Promise<string> =>
    run('restore', ['--from', at('first')], { DATABASE_URL: restored.url, DATA_DIR: at(dataDir) });

  /** The sorted rows of every table of a backup. */
  async function rowsOf(name: string): Promise<Record<string, string[]>> {
    const rows: Record<string, string[]> = {};
    for (const { name: table, file, columns } of (await readManifest(at(name))).tables) {
      const lines = gunzipSync(await readFile(join(at(name), file)))
        .toString()
        .split('\n');
      const leftOut = NUMBERED_AGAIN.includes(table) ? columns.indexOf('id') : -1;
      rows[table] = lines
        .map((line) =>
          line
            .split('\t')
            .filter((_, index) => index !== leftOut)
            .join('\t'),
        )
        .sort();
    }
    return rows;
  }

  it('has exactly its rows and files', async () => {
    await run('backup', ['--to', at('second')], { DATABASE_URL: restored.url, DATA_DIR: at('data') });
    const rows = await rowsOf('second');
    expect(rows).toEqual(await rowsOf('first'));
    expect(rows.posts!.length).toBeGreaterThan(20);
    const [first, second] = [await readManifest(at('first')), await readManifest(at('second'))];
    expect(second.media).toEqual(first.media);
    expect(first.media.files).toBeGreaterThan(0);
  });

  it('counts rows that are stored later', async () => {
    const app = await createApplication(
      parseEnvironment({
        DATABASE_URL: restored.url,
        REDIS_URL: both.service.environment.REDIS_URL!,
        DATA_DIR: at('data'),
        ROLES: 'worker',
        LOG_LEVEL: 'silent',
      }),
    );
    const { workspaceId } = both.a;
    const [transactions, posts] = [TransactionRunner, PostsRepository].map((one) =>
      app.get(one, { strict: false }),
    ) as [TransactionRunner, PostsRepository];
    for (let number = 1; number <= 3; number += 1)
      await transactions.run((tx) => posts.upsert(workspaceId, [aPost(number)], tx));
    await app.close();
    const ofWorkspace = `WHERE workspace_id = '${workspaceId}'`;
    const [counted] = await runOnServer<{ rows: number; counts: number }>(
      restored.url,
      `SELECT (SELECT count(*)::int FROM posts ${ofWorkspace}) AS rows,
         (SELECT sum(rows)::int FROM post_count_deltas ${ofWorkspace}) AS counts`,
    );
    expect(counted!.counts).toBe(counted!.rows);
  });

  it('is not restored over', async () => {
    await expect(restore('other')).rejects.toThrow('The database of DATABASE_URL has tables');
  });
});
