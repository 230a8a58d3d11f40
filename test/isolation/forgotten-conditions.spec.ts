import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { JobsRepository } from '../../src/modules/jobs/jobs.repository.js';
import { Job } from '../../src/modules/jobs/job.entity.js';
import { Webhook } from '../../src/modules/webhooks/webhook.entity.js';
import { WebhooksRepository } from '../../src/modules/webhooks/webhooks.repository.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';

/** Sends HTTP requests that use repositories whose condition on the workspace was removed. */
describe('a repository without its condition on the workspace', () => {
  let service: TestApplication;
  let dataSource: DataSource;
  let own: TestWorkspace;
  let other: TestWorkspace;
  let otherId: string;

  const ask = async (workspace: TestWorkspace, method: string, path: string, body?: object) => {
    const response = await fetch(service.url + workspace.path(path), {
      method,
      headers: { 'X-API-Key': workspace.apiKey, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { id: string }[] & { id: string } };
  };

  beforeAll(async () => {
    service = await startTestApplication();
    dataSource = service.app.get(DataSource);
    own = await service.createWorkspace();
    other = await service.createWorkspace();
    for (const workspace of [own, other])
      otherId = (await ask(workspace, 'POST', '/webhooks', { url: 'https://example.com/hook' })).body.id;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  it('lists only rows of the workspace', async () => {
    const webhooks = service.app.get(WebhooksRepository, { strict: false });
    jest.spyOn(webhooks, 'list').mockImplementation(() => dataSource.manager.find(Webhook));
    expect(await dataSource.manager.count(Webhook)).toBe(2);
    const listed = await ask(own, 'GET', '/webhooks');
    expect(listed.status).toBe(200);
    expect(listed.body).toHaveLength(1);
    expect(listed.body[0]!.id).not.toBe(otherId);
  });

  it('finds, changes and deletes no row of another workspace', async () => {
    const id = otherId.replace(/^wh_/, '');
    const webhooks = service.app.get(WebhooksRepository, { strict: false });
    jest.spyOn(webhooks, 'find').mockImplementation(() => dataSource.manager.findOneBy(Webhook, { id }));
    jest.spyOn(webhooks, 'lock').mockImplementation((_workspace, _id, tx) => tx.findOneBy(Webhook, { id }));
    jest
      .spyOn(webhooks, 'delete')
      .mockImplementation(async () => (await dataSource.manager.delete(Webhook, { id })).affected === 1);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(
        (await ask(own, method, `/webhooks/${otherId}`, method === 'PATCH' ? {} : undefined)).status,
      ).toBe(404);
    expect(await dataSource.manager.countBy(Webhook, { id })).toBe(1);
  });

  it('adds no row to another workspace', async () => {
    const jobs = service.app.get(JobsRepository, { strict: false });
    const insert = jobs.insert.bind(jobs);
    jest
      .spyOn(jobs, 'insert')
      .mockImplementation((job, tx) => insert({ ...job, workspaceId: other.workspaceId }, tx));
    expect((await ask(own, 'POST', '/jobs', { target: 'technology' })).status).toBe(500);
    expect(await dataSource.manager.count(Job)).toBe(0);
  });
});
