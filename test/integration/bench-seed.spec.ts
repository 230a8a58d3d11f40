import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { run } from '../../scripts/bench/seed.js';
import { connect, createTestDatabase } from '../support/database.js';

const database = await createTestDatabase();

describe('npm run bench -- seed', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = await connect(database.url);
  });
  afterAll(async () => {
    await client?.end();
  });

  const seed = (workspace: string, ...args: string[]) =>
    run(['--workspace', workspace, '--into', database.url, ...args]);
  async function newWorkspace(): Promise<string> {
    const id = randomUUID();
    await client.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Seeded')`, [id]);
    return id;
  }

  it.each(['0', '20261124', '9007199254740991'])(
    'fills a workspace with rows of the seed %s, whose ids are safe integers',
    async (number) => {
      const id = await newWorkspace();
      const args = ['--posts', '20', '--comments', '50', '--seed', number];
      expect(await seed(`ws_${id}`, ...args)).toMatchObject({ posts: 20, comments: 50 });
      const { rows } = await client.query<{ posts: number; comments: number; highest: string }>(
        `SELECT (SELECT count(*)::int FROM posts WHERE workspace_id = $1) AS posts,
           count(DISTINCT comment_id)::int AS comments, max(id) AS highest FROM comments WHERE workspace_id = $1`,
        [id],
      );
      expect(rows[0]).toMatchObject({ posts: 20, comments: 50 });
      expect(Number(rows[0]!.highest)).toBeLessThan(2 ** 52);
    },
  );

  it('reports what is wrong with its arguments', async () => {
    const unknown = randomUUID();
    await expect(seed(unknown, '--posts', '1')).rejects.toThrow(`there is no workspace ${unknown}`);
    await expect(seed('x', '--posts', '1')).rejects.toThrow('--workspace needs the id of a workspace');
    await expect(seed(unknown, '--posts', 'many')).rejects.toThrow('--posts needs a whole number from 0');
    await expect(seed(unknown, '--comments', '1')).rejects.toThrow('--comments needs --posts');
  });
});
