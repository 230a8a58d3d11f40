import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { WorkspaceFrequencies } from '../../src/enrichment/keywords/workspace-frequencies.js';
import { KeywordFrequenciesRepository } from '../../src/modules/scraping/keyword-frequencies.repository.js';
import { WorkspaceKeywords } from '../../src/modules/scraping/workspace-keywords.js';
import { startSandbox, type Sandbox } from '../../src/platforms/sandbox/server/sandbox.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { runJob } from '../support/jobs.js';
import { scrapingFrom } from '../support/sandbox.js';

const FORUM = { target: 'small', scrape_comments: false, download_media: false };

describe('phrase frequencies of a workspace', () => {
  let sandbox: Sandbox;
  let service: TestApplication;
  let workspace: TestWorkspace;
  let repository: KeywordFrequenciesRepository;
  let keywords: WorkspaceKeywords;

  beforeAll(async () => {
    sandbox = await startSandbox({ forums: { small: { posts: 40, commentsPerPost: 0 } } });
    service = await startTestApplication(scrapingFrom(sandbox.baseUrl));
    repository = service.app.get(KeywordFrequenciesRepository, { strict: false });
    keywords = service.app.get(WorkspaceKeywords, { strict: false });
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
  });
  afterAll(async () => {
    await service.close();
    await sandbox.close();
  });

  const query = <T>(text: string): Promise<T> =>
    service.app.get(DataSource, { strict: false }).query<T>(text, [workspace.workspaceId]);
  const versions = (): Promise<{ version: number }[]> =>
    query('SELECT version FROM keyword_frequencies WHERE workspace_id = $1 ORDER BY version');
  const scrape = async (limit: number): Promise<string> =>
    (await runJob(service, workspace, { ...FORUM, limit })).id.replace('job_', '');
  const learn = (post: number): Promise<void> => {
    const gathered = new WorkspaceFrequencies();
    gathered.observe([post]);
    return service.app
      .get(TransactionRunner, { strict: false })
      .run((tx) => keywords.learn(workspace.workspaceId, gathered, tx));
  };
  const reads = async (jobId: string): Promise<number | undefined> =>
    (await keywords.ofJob(workspace.workspaceId, jobId))?.documents;

  it('are learned once from every post that is new, when a job has ended', async () => {
    const first = await scrape(20);
    expect(await reads(first)).toBeUndefined();
    const second = await scrape(40);
    expect(await reads(second)).toBe(20);
    const third = await scrape(40);
    expect(await reads(third)).toBe(40);
    // The third found nothing new.
    expect((await versions()).map(({ version }) => version)).toEqual([1, 2]);
  });

  it('stay for a job as they were when it began, whatever is learned meanwhile', async () => {
    const job = await scrape(1);
    await query("UPDATE jobs SET status = 'pending', keywords_version = NULL WHERE workspace_id = $1");
    expect(await reads(job)).toBe(1);
    await learn(7);
    await query(
      "UPDATE keyword_frequencies SET created_at = now() - interval '1 hour' WHERE workspace_id = $1",
    );
    await learn(8);
    expect(await reads(job)).toBe(1);
    // Kept for the job; of the others only what a job may just be choosing.
    expect((await versions()).map(({ version }) => version)).toEqual([1, 2, 3]);
    await query("UPDATE jobs SET status = 'completed' WHERE workspace_id = $1");
    await learn(9);
    expect((await versions()).map(({ version }) => version)).toEqual([2, 3, 4]);
  });

  it('lose nothing when many jobs end together', async () => {
    await Promise.all(Array.from({ length: 8 }, (_one, at) => learn(at)));
    const state = await repository.read(workspace.workspaceId, 8);
    expect(WorkspaceFrequencies.fromBuffer(state!).documents).toBe(8);
  });

  it('are left out, not fatal, when their bytes are damaged', async () => {
    await learn(1);
    await query("UPDATE keyword_frequencies SET state = 'rubbish' WHERE workspace_id = $1");
    const job = await scrape(5);
    expect(await reads(job)).toBe(0);
    const state = await repository.read(workspace.workspaceId, 2);
    expect(WorkspaceFrequencies.fromBuffer(state!).documents).toBe(5);
  });
});
