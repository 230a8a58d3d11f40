import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { until } from '../support/until.js';

const service = await startTestApplication({ ROLES: 'api,worker' });

interface Export {
  id: string;
  name: string | null;
  columns: string[] | null;
  status: string;
}

describe('an export with a name and columns', () => {
  let workspace: TestWorkspace;

  beforeAll(async () => {
    workspace = await service.createWorkspace();
    const posts = [1, 2].map((number) => aPost(number, { title: `Post ${number} of mabel` }));
    await storePosts(service, workspace.workspaceId, posts);
  });

  const create = (body: object) =>
    requestAs(service, workspace, 'POST', '/exports').send({ of: 'posts', format: 'ndjson', ...body });
  const written = async (body: object): Promise<{ record: Export; text: string }> => {
    const { body: created } = await create(body).expect(201);
    const { id } = created as Export;
    const record = await until(
      () => call<Export>(service, workspace, 'GET', `/exports/${id}`),
      ({ status }) => status === 'completed',
    );
    const { body: bytes } = await requestAs(service, workspace, 'GET', `/exports/${id}/parts/1`)
      .buffer()
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect(200);
    return { record, text: String(bytes) };
  };

  it('has only these columns in its files, in their order, and shows both', async () => {
    const choice = { name: 'Titles for the study', columns: ['title', 'id'] };
    const { record, text } = await written(choice);
    expect(record).toMatchObject(choice);
    const rows = text.trim().split('\n');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^\{"title":"Post 1 of mabel","id":"t3_\w+"\}$/);
  });

  it('replaces names where the authors are left out, too', async () => {
    const author = 'mabel';
    await storePosts(service, workspace.workspaceId, [aPost(3, { author })]);
    const { text } = await written({ columns: ['title'], pseudonymize: true });
    expect(text).not.toContain(author);
    expect(text).toMatch(/^\{"title":"Post 1 of anon-\w{16}"\}\n/);
  });

  it('has neither without a choice', async () => {
    const { body } = await create({}).expect(201);
    expect(body).toMatchObject({ name: null, columns: null });
  });

  it.each([
    ['columns', 'Unknown: body. Allowed: id, ', { columns: ['title', 'body'] }],
    ['columns', 'fields of comments', { of: 'comments', columns: ['title'] }],
    ['columns', 'empty', { columns: [] }],
    ['columns', 'unique', { columns: ['id', 'id'] }],
    ['columns', 'array', { columns: 'id' }],
    ['name', '1 to 200 characters', { name: '' }],
    ['name', 'to 200 characters', { name: 'x'.repeat(201) }],
  ])('refuses %s with "%s"', async (field, message, body) => {
    const { body: refused } = await create(body).expect(400);
    expect(refused).toMatchObject({
      errors: [{ field, message: expect.stringContaining(message) as string }],
    });
  });
});
