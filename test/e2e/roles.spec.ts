import request from 'supertest';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { requestAs } from '../support/client.js';

describe.each(['worker', 'scheduler'])('a process with the role %s', (role) => {
  let service: TestApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: role });
    workspace = await service.createWorkspace();
  });
  afterAll(() => service.close());

  it.each(['/health/live', '/health/ready', '/metrics'])('serves %s', async (path) => {
    await request(service.url).get(path).expect(200);
  });

  it.each(['/jobs', '/posts', '/api-keys', '/webhooks', '/schedules', '/exports/posts'])(
    'answers 404 to GET %s, with a valid key too',
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
