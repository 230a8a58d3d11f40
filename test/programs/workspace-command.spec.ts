import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Operators } from '../../src/access/operators/operators.js';
import { runCommand } from '../../src/cli/run-command.js';
import { runWorkspaceCommand, WORKSPACE_USAGE } from '../../src/cli/workspace-program.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { requestAs } from '../support/client.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const PROGRAM = join(import.meta.dirname, '../../src/cli/workspace.js');
const IMPORT_PROGRAM = join(import.meta.dirname, '../../src/cli/import.js');
const TOKEN = 'token-of-the-operator-of-32-characters';

type Spy = jest.Spied<typeof console.log>;

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** A post of a dump, in a forum that the command selects. */
const POST = {
  id: '1',
  subreddit: 'a',
  title: 'A title',
  author: 'author',
  created_utc: 1_760_000_000,
  permalink: '/r/a/comments/1/a_title/',
  selftext: 'Text',
  is_self: true,
  score: 1,
  num_comments: 0,
};

const service = await startTestApplication({ ADMIN_TOKEN: TOKEN });
const workspace = await service.createWorkspace('Known');

describe('npm run workspace', () => {
  /** Runs a command as its program does, but in this process: loading the service takes seconds. */
  async function command(...args: string[]): Promise<Outcome> {
    process.argv = [process.execPath, PROGRAM, ...args];
    process.env.DATABASE_URL = service.environment.DATABASE_URL;
    const [stdout, stderr] = (['log', 'error'] as const).map((method) =>
      jest.spyOn(console, method).mockImplementation(() => undefined),
    ) as [Spy, Spy];
    const printed = ({ mock }: Spy) => mock.calls.map(([line]) => `${String(line)}\n`).join('');
    try {
      await runCommand(WORKSPACE_USAGE, runWorkspaceCommand);
      return { code: Number(process.exitCode), stdout: printed(stdout), stderr: printed(stderr) };
    } finally {
      process.exitCode = undefined;
      for (const spy of [stdout, stderr]) spy.mockRestore();
    }
  }
  /** Runs a program in a process of its own. */
  const execute = (
    program: string,
    args: readonly string[],
    variables: NodeJS.ProcessEnv = {},
  ): Promise<Outcome> =>
    new Promise((resolve) =>
      execFile(
        process.execPath,
        [program, ...args],
        { env: { PATH: process.env.PATH, DATABASE_URL: service.environment.DATABASE_URL, ...variables } },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      ),
    );
  const json = async <T>(...args: string[]): Promise<T> => printedBy<T>(await command(...args, '--json'));
  function printedBy<T>({ code, stdout, stderr }: Outcome): T {
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as T;
  }
  const statusOf = async (path = '/jobs', key = workspace.apiKey) =>
    (await requestAs(service, { ...workspace, apiKey: key }, 'GET', path)).status;

  it('creates, lists and shows workspaces', async () => {
    const made = printedBy<{ workspace_id: string; api_key: string }>(
      await execute(PROGRAM, ['create', '--name', 'Made', '--json']),
    );
    expect(Object.keys(made)).toEqual(['workspace_id', 'api_key']);
    const listed = await json<{ workspaces: { id: string; name: string }[] }>('list', '--q', 'made');
    expect(listed.workspaces.map(({ id, name }) => [id, name])).toEqual([
      [`ws_${made.workspace_id}`, 'Made'],
    ]);
    const shown = await json<{ status: string; api_keys: object[] }>('show', made.workspace_id);
    expect([shown.status, shown.api_keys.length]).toEqual(['active', 1]);
    const { stdout } = await command('show', made.workspace_id);
    expect(stdout).toMatch(/^Status {9}active\nCreated {8}\d{4}.*\nLast activity {2}none$/m);
  });

  it('suspends and resumes a workspace of a running service within a second', async () => {
    const becomes = (status: number) => until(statusOf, (now) => now === status, { timeoutMs: 60_000 });
    expect((await json<{ status: string }>('suspend', workspace.workspaceId)).status).toBe('suspended');
    await becomes(403);
    expect((await json<{ status: string }>('resume', `ws_${workspace.workspaceId}`)).status).toBe('active');
    await becomes(200);
  });

  it('sets and clears the days after which data is deleted', async () => {
    const daysAfter = async (...options: string[]) =>
      (await json<{ retention_days: object }>('retention', workspace.workspaceId, ...options)).retention_days;
    expect(await daysAfter('--posts', '30', '--media', '7')).toEqual({ posts: 30, media: 7 });
    expect(await daysAfter('--posts', '0')).toEqual({ media: 7 });
    const refused = await command('retention', workspace.workspaceId, '--jobs', 'many');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--jobs requires a number')]);
  });

  it('recovers access and revokes a key', async () => {
    const made = await json<{ id: string; api_key: string }>('key', workspace.workspaceId);
    expect(await statusOf('/api-keys', made.api_key)).toBe(200);
    await json('key', workspace.workspaceId, '--revoke', made.id);
    expect(await statusOf('/api-keys', made.api_key)).toBe(401);
  });

  it('exports every table of a workspace without credentials', async () => {
    const exported = await service.createWorkspace('Exported');
    await storePosts(
      service,
      exported.workspaceId,
      Array.from({ length: 12 }, (_, n) => aPost(n)),
    );
    await service.app.get(DataSource).query(
      `INSERT INTO sessions (workspace_id, token_hash, id, kind, api_key_id, expires_at)
         VALUES ($1, 'a hash', gen_random_uuid(), 'session', gen_random_uuid(), now())`,
      [exported.workspaceId],
    );
    const folder = await temporaryFolder();
    const { rows } = await json<{ rows: Record<string, number> }>(
      'export',
      exported.workspaceId,
      '--to',
      folder,
    );
    expect(rows).toMatchObject({ posts: 12, api_keys: 1, jobs: 0 });
    expect((await readdir(folder)).sort()).toEqual(
      Object.keys(rows)
        .map((name) => `${name}.ndjson`)
        .sort(),
    );
    const lines = async (name: string) =>
      (await readFile(join(folder, `${name}.ndjson`), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect((await lines('posts')).every((post) => post.workspace_id === exported.workspaceId)).toBe(true);
    expect((await lines('api_keys'))[0]).not.toHaveProperty('key_hash');
    expect((await lines('sessions'))[0]).toHaveProperty('api_key_id');
    expect((await lines('sessions'))[0]).not.toHaveProperty('token_hash');
  });

  it('requests a deletion, and records every change with the user of this machine', async () => {
    const { workspaceId } = await service.createWorkspace('Unwanted');
    expect((await json<{ status: string }>('delete', workspaceId)).status).toBe('deleting');
    expect((await command('show', workspaceId)).stdout).toMatch(/^Deleted {8}0 rows since \d{4}-/m);
    const answer = await fetch(`${service.url}/api/v1/admin/audit`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    const { entries } = (await answer.json()) as {
      entries: { action: string; actor: string; actor_name: string; workspace_id: string; status: number }[];
    };
    expect(entries[0]).toMatchObject({
      action: 'workspace delete',
      actor: 'command_line',
      actor_name: expect.stringMatching(/^.+@.+$/) as string,
      workspace_id: `ws_${workspaceId}`,
      status: 0,
    });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'workspace create',
        'workspace suspend',
        'workspace resume',
        'workspace retention',
        'workspace key',
      ]),
    );
  });

  it('lists the accounts of operators, and releases an address', async () => {
    const email = 'ann@example.org';
    await service.get(Operators).bind({ email, subject: 'https://id.example ann' });
    const { operators } = await json<{ operators: object[] }>('operators');
    expect(operators).toMatchObject([{ email, account: 'https://id.example ann' }]);
    expect((await command('operators')).stdout).toMatch(
      /^ann@example\.org {2}https:\/\/id\.example ann {2}since 2/,
    );
    expect(await json('operators', '--unbind', 'Ann@Example.org')).toEqual({ unbound: email });
    expect(await command('operators', '--unbind', email)).toMatchObject({
      code: 1,
      stderr: `No account is bound to ${email}\n`,
    });
  });

  it('records an import as a change', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'RS.ndjson');
    await writeFile(file, `${JSON.stringify(POST)}\n`);
    const { workspaceId } = await service.createWorkspace('Importing');
    const outcome = await execute(IMPORT_PROGRAM, [
      '--workspace',
      workspaceId,
      '--file',
      file,
      '--forum',
      'a',
    ]);
    expect(outcome.code).toBe(0);
    const answer = await fetch(`${service.url}/api/v1/admin/audit?workspace_id=${workspaceId}`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    const { entries } = (await answer.json()) as { entries: object[] };
    expect(entries).toMatchObject([
      { action: 'import', actor: 'command_line', fields: ['file', 'forum'], status: 0 },
    ]);
  });

  it('explains what is wrong with its arguments', async () => {
    for (const args of [
      [],
      ['unknown'],
      ['show'],
      ['show', 'x'],
      ['create', '--name', ' '],
      ['list', '--what'],
      ['list', 'Known'],
    ]) {
      const { code, stdout, stderr } = await command(...args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toMatch(/^.+\nusage: npm run workspace -- COMMAND \[--json\]\n/);
    }
    const unknown = await command('show', '00000000-0000-4000-8000-000000000000');
    expect(unknown).toEqual({ code: 1, stdout: '', stderr: 'No such workspace\n' });
  });

  it('prints one JSON document with --json even when it fails', async () => {
    const failed = ({ code, stdout }: Outcome) => [code, JSON.parse(stdout)] as unknown;
    expect(failed(await command('show', '00000000-0000-4000-8000-000000000000', '--json'))).toEqual([
      1,
      { error: 'No such workspace' },
    ]);
    expect(failed(await command('show', '--json'))).toEqual([
      2,
      { error: 'the command requires the id of a workspace' },
    ]);
    const unreachable = { DATABASE_URL: 'postgres://u:p@localhost:1/x' };
    expect(failed(await execute(PROGRAM, ['list', '--json'], unreachable))).toEqual([
      1,
      {
        error: expect.stringMatching(
          /^Postgres at localhost:1 \(DATABASE_URL\) could not be reached: ECONNREFUSED\. Start it, or correct/,
        ) as string,
      },
    ]);
  });
});
