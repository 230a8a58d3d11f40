import { jest } from '@jest/globals';
import request from 'supertest';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { requestAs } from '../support/client.js';
import { VERSION } from '../../src/common/version.js';
import { presentResponse } from '../../src/common/work-scope.js';
import { MetricsRegistry } from '../../src/infrastructure/metrics/metrics-registry.js';

describe.each(['worker', 'scheduler'])('a process with the role %s', (role) => {
  let service: TestApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: role });
    workspace = await service.createWorkspace();
  });

  it.each(['/health/live', '/health/ready', '/metrics'])('serves %s', async (path) => {
    await request(service.url).get(path).expect(200);
  });

  it('opens no async scope for a request', async () => {
    const { registry } = service.get(MetricsRegistry);
    jest.spyOn(registry, 'metrics').mockImplementationOnce(() => Promise.resolve(typeof presentResponse()));
    const { text } = await request(service.url).get('/metrics');
    expect(text).toBe('undefined');
  });

  it.each(['/jobs', '/posts', '/api-keys', '/webhooks', '/schedules', '/exports/posts'])(
    'answers 404 to GET %s, even with a valid key',
    async (path) => {
      const { body } = await requestAs(service, workspace, 'GET', path).expect(404);
      expect(body).toMatchObject({ code: 'not_found', detail: expect.stringContaining('role api') });
    },
  );

  it('answers 404 to changes and to the documentation', async () => {
    await requestAs(service, workspace, 'POST', '/jobs').send({ target: 'technology' }).expect(404);
    await requestAs(service, workspace, 'POST', '/api-keys').send({ name: 'second' }).expect(404);
    await request(service.url).get('/docs').expect(404);
    await request(service.url).get('/docs-json').expect(404);
  });
});

describe('the API of a new workspace', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    service = await startTestApplication();
    workspace = await service.createWorkspace();
  });

  it('answers that it is ready', async () => {
    await request(service.url).get('/health/ready').expect(200, { status: 'ok', version: VERSION });
  });

  it('is named by the same header in its responses and in those of its probes', async () => {
    const { headers: probe } = await request(service.url).get('/health/live');
    const { headers } = await requestAs(service, workspace, 'GET', '/posts').expect(200);
    expect(headers['x-served-by']).toMatch(/^[0-9a-f]{8}$/);
    expect(headers['x-served-by']).toBe(probe['x-served-by']);
  });

  it('refuses a request without a key', async () => {
    const { body } = await request(service.url).get(workspace.path('/jobs')).expect(401);
    expect(body).toMatchObject({ status: 401, code: 'missing_api_key' });
  });

  it('creates, lists and cancels a job', async () => {
    const created = await requestAs(service, workspace, 'POST', '/jobs')
      .send({ target: 'technology' })
      .expect(201);
    expect(created.body).toMatchObject({
      status: 'pending',
      target: 'technology',
      mode: 'full',
      progress: {},
    });
    const listed = await requestAs(service, workspace, 'GET', '/jobs').expect(200);
    expect(listed.body).toMatchObject({ total: 1, has_more: false });
    await requestAs(service, workspace, 'DELETE', `/jobs/${created.body.id}`).expect(200);
    await requestAs(service, workspace, 'DELETE', `/jobs/${created.body.id}`).expect(409);
  });

  it('names every bad field of a job', async () => {
    const { body } = await requestAs(service, workspace, 'POST', '/jobs')
      .send({ target: '', limit: '5', colour: 'red' })
      .expect(400);
    expect((body as { errors: { field: string }[] }).errors.map((error) => error.field)).toEqual(
      expect.arrayContaining(['target', 'limit', 'colour']),
    );
  });

  it('serves empty lists', async () => {
    const get = (path: string) => requestAs(service, workspace, 'GET', path);
    await get('/posts').expect(200, { posts: [], total: 0, cursor: '', has_more: false });
    await get('/posts/forums/list').expect(200, []);
    await get('/comments').expect(200, { comments: [], total: 0, has_more: false });
    await get('/posts/t3_none').expect(404);
    await get('/api-keys').expect(200);
  });
});
