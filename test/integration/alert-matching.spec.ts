import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import {
  AlertMatchingService,
  AlertsChangedError,
  type PreparedMatcher,
} from '../../src/modules/alerts/alert-matching.service.js';
import { AlertsRepository } from '../../src/modules/alerts/alerts.repository.js';
import { AlertsService } from '../../src/modules/alerts/alerts.service.js';
import { AlertMatcher } from '../../src/modules/alerts/matching/alert-matcher.js';
import { PostsRepository } from '../../src/modules/posts/posts.repository.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication, type TestApplication } from '../support/application.js';

const JOB = '0b6ae68e-6f0a-4d53-a8ac-2ea1fc5b4f44';

describe('matching a batch against alerts', () => {
  let service: TestApplication;
  let matching: AlertMatchingService;
  let alerts: AlertsService;
  let workspaceId: string;

  beforeAll(async () => {
    service = await startTestApplication();
    matching = service.app.get(AlertMatchingService, { strict: false });
    alerts = service.app.get(AlertsService, { strict: false });
  });
  beforeEach(async () => {
    ({ workspaceId } = await service.createWorkspace());
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const post = { ...aPost(1), title: 'Rust and Go', selftext: '' };
  const create = (keyword: string) => alerts.create(workspaceId, { name: keyword, keywords: [keyword] });
  const store = (prepared: PreparedMatcher | null): Promise<void> =>
    service.app.get(TransactionRunner, { strict: false }).run(async (tx) => {
      await service.app.get(PostsRepository, { strict: false }).upsert(workspaceId, [post], tx);
      await matching.matchBatch(workspaceId, JOB, [post], prepared, tx);
    });
  const triggered = async (): Promise<string[]> =>
    (await alerts.list(workspaceId, { masked: false }))
      .filter((alert) => alert.trigger_count > 0)
      .map(({ name }) => name);

  it('compiles once for an unchanged set of alerts', async () => {
    await create('rust');
    const compile = jest.spyOn(AlertMatcher, 'compile');
    for (let batch = 0; batch < 3; batch += 1) await matching.withMatcher(workspaceId, store);
    expect(compile).toHaveBeenCalledTimes(1);
    expect(await triggered()).toEqual(['rust']);
  });

  it('refuses a matcher of alerts that have changed, and stores nothing', async () => {
    const prepared = await matching.prepare(workspaceId);
    await create('rust');
    await expect(store(prepared)).rejects.toBeInstanceOf(AlertsChangedError);
    await expect(alerts.preview(workspaceId, { keywords: ['rust'] })).resolves.toMatchObject({
      posts_scanned: 0,
    });
  });

  it('matches an alert that was created between compilation and transaction', async () => {
    await create('go');
    let attempts = 0;
    await matching.withMatcher(workspaceId, async (prepared) => {
      attempts += 1;
      if (attempts === 1) await create('rust');
      await store(prepared);
    });
    expect(attempts).toBe(2);
    expect(await triggered()).toEqual(['go', 'rust']);
  });

  it('compiles within the transaction when alerts change at every attempt', async () => {
    const given: boolean[] = [];
    await matching.withMatcher(workspaceId, async (prepared) => {
      given.push(prepared !== null);
      await create('rust');
      await store(prepared);
    });
    expect(given).toEqual([true, true, true, false]);
    expect(await triggered()).toEqual(['rust', 'rust', 'rust', 'rust']);
  });

  it('counts what the quotas limit: alerts, and keywords for each forum', async () => {
    await create('rust');
    await alerts.create(workspaceId, { name: 'x', keywords: ['a', 'b', 'c'], forums: ['one', 'two'] });
    const other = await service.createWorkspace();
    await alerts.create(other.workspaceId, { name: 'y', keywords: ['a'] });
    const repository = service.app.get(AlertsRepository, { strict: false });
    const { manager } = service.app.get(DataSource);
    expect(await repository.count(workspaceId, manager)).toBe(2);
    expect(await repository.countKeywords(workspaceId, manager)).toBe(1 + 3 * 2);
  });
});
