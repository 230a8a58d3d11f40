import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { WorkspaceFrequencies } from '../../src/enrichment/keywords/workspace-frequencies.js';
import { JobExecutor } from '../../src/collect/scraping/job-executor.js';
import {
  KeywordFrequenciesRepository,
  NO_VERSION,
} from '../../src/collect/scraping/keyword-frequencies.repository.js';
import { WorkspaceKeywords } from '../../src/collect/scraping/workspace-keywords.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { runJob } from '../support/jobs.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';

const FORUM = { target: 'small', scrape_comments: false, download_media: false };

const sandbox = await openSandbox({ forums: { small: { posts: 40, commentsPerPost: 0 } } });
const service = await startTestApplication(scrapingFrom(sandbox.baseUrl));
const repository = service.get(KeywordFrequenciesRepository);
const keywords = service.get(WorkspaceKeywords);

describe('phrase frequencies of a workspace', () => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await service.createWorkspace();
  });

  const query = <T>(text: string): Promise<T> =>
    service.get(DataSource).query<T>(text, [workspace.workspaceId]);
  const versions = (): Promise<{ version: number }[]> =>
    query('SELECT version FROM keyword_frequencies WHERE workspace_id = $1 ORDER BY version');
  const scrape = async (limit: number): Promise<void> => {
    await runJob(service, workspace, { ...FORUM, limit });
  };
  const learn = (post: number): Promise<void> => {
    const gathered = new WorkspaceFrequencies();
    gathered.observe([post]);
    return service.get(TransactionRunner).run((tx) => keywords.learn(workspace.workspaceId, gathered, tx));
  };
  const newest = async (): Promise<number | undefined> => {
    const version = (await versions()).at(-1)?.version ?? NO_VERSION;
    return (await keywords.read(workspace.workspaceId, version))?.documents;
  };

  it('are learned once from every new post, when a job has ended', async () => {
    await scrape(20);
    expect(await newest()).toBe(20);
    await scrape(40);
    expect(await newest()).toBe(40);
    await scrape(40);
    // The third job found nothing new.
    expect((await versions()).map(({ version }) => version)).toEqual([1, 2]);
  });

  it('stay for a job as they were when it began, whatever is learned meanwhile', async () => {
    await learn(6);
    const lease = await query<{ version: number }[]>(
      `INSERT INTO job_executions (workspace_id, job_id, is_small, lease_until, attempts, keywords_version)
       SELECT $1, gen_random_uuid(), true, now() + interval '1 hour', 1, 1 RETURNING keywords_version AS version`,
    );
    expect(lease).toEqual([{ version: 1 }]);
    await learn(7);
    await query(
      "UPDATE keyword_frequencies SET created_at = now() - interval '1 hour' WHERE workspace_id = $1",
    );
    await learn(8);
    expect((await keywords.read(workspace.workspaceId, 1))?.documents).toBe(1);
    // Kept for the job; of the others only those that a claim in progress may choose.
    expect((await versions()).map(({ version }) => version)).toEqual([1, 2, 3]);
    await query('DELETE FROM job_executions WHERE workspace_id = $1');
    await learn(9);
    expect((await versions()).map(({ version }) => version)).toEqual([2, 3, 4]);
  });

  it('are read by a job in the version that was newest when it was first claimed', async () => {
    await learn(1);
    const claimed: number[] = [];
    const execute = jest.spyOn(service.get(JobExecutor), 'execute').mockImplementation(async (execution) => {
      claimed.push(execution.lease.keywordsVersion);
      if (claimed.length > 1) return;
      await learn(2);
      throw new Error('broke off');
    });
    await scrape(1);
    execute.mockRestore();
    expect(claimed).toEqual([1, 1]);
  });

  it('lose nothing when many jobs end together', async () => {
    await Promise.all(Array.from({ length: 8 }, (_one, at) => learn(at)));
    const state = await repository.read(workspace.workspaceId, 8);
    expect(WorkspaceFrequencies.fromBuffer(state!).documents).toBe(8);
  });

  it('are removed only from their own workspace', async () => {
    const other = workspace;
    for (const post of [1, 2]) await learn(post);
    workspace = await service.createWorkspace();
    for (const post of [1, 2, 3]) await learn(post);
    await query(
      "UPDATE keyword_frequencies SET created_at = now() - interval '1 hour' WHERE workspace_id = $1",
    );
    await learn(4);
    expect((await versions()).map(({ version }) => version)).toEqual([3, 4]);
    workspace = other;
    expect((await versions()).map(({ version }) => version)).toEqual([1, 2]);
  });

  it.each([1, 450])('are gathered once from every post of a job with %i new ones', async (posts) => {
    const [{ job_id: jobId }] = await query<[{ job_id: string }]>(
      `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending, phrase_keys)
       SELECT $1, job_id, 't3_' || number, number, false, '\\x01000000'
       FROM (SELECT gen_random_uuid() AS job_id) AS job, generate_series(1, ${posts}) AS number RETURNING job_id`,
    );
    expect((await keywords.gather(workspace.workspaceId, jobId))?.documents).toBe(posts);
  });

  it('are ignored, without failing the job, when their bytes are damaged', async () => {
    await learn(1);
    await query("UPDATE keyword_frequencies SET state = 'rubbish' WHERE workspace_id = $1");
    await scrape(5);
    expect((await keywords.read(workspace.workspaceId, 1))?.documents).toBe(0);
    const state = await repository.read(workspace.workspaceId, 2);
    expect(WorkspaceFrequencies.fromBuffer(state!).documents).toBe(5);
  });
});
