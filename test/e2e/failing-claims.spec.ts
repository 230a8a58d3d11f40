import { DataSource } from 'typeorm';
import { checkClaims } from '../../src/cli/diagnosis/claim-checks.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { type JobRecord, waitForEnd } from '../support/jobs.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';
import { until } from '../support/until.js';

const TOKEN = 'token-of-the-operator-of-32-characters';
const REASON = 'executions are refused';

/** Makes every claim of a pending job fail, as a missing right or a broken trigger does. */
const REFUSE_CLAIMS = `
  CREATE FUNCTION refuse_execution() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '${REASON}'; END $$;
  CREATE TRIGGER refuse_execution BEFORE INSERT ON job_executions
    FOR EACH ROW EXECUTE FUNCTION refuse_execution()`;

const sandbox = await openSandbox({ forums: { quick: { posts: 5, commentsPerPost: 0 } } });
const service = await startTestApplication({ ...scrapingFrom(sandbox.baseUrl), ADMIN_TOKEN: TOKEN });
const dataSource = service.app.get(DataSource);
const workspace = await service.createWorkspace();

describe('a worker whose claims the database refuses', () => {
  let job: JobRecord;

  beforeAll(async () => {
    await dataSource.query(REFUSE_CLAIMS);
    job = await call<JobRecord>(service, workspace, 'POST', '/jobs', { target: 'quick' });
  });

  const record = (): Promise<JobRecord> => call<JobRecord>(service, workspace, 'GET', `/jobs/${job.id}`);
  const health = async () =>
    (await (await fetch(`${service.url}/health/ready`)).json()) as { status: string; problem?: string };
  const failingSeconds = async (): Promise<number> =>
    Number(
      /^wss_job_claims_failing_seconds (\S+)$/m.exec(
        await (await fetch(`${service.url}/metrics`)).text(),
      )![1],
    );
  const workers = async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${service.url}/api/v1/admin/overview`, { headers });
    return ((await answer.json()) as { workers: { claims_failing: boolean }[] }).workers;
  };
  const diagnosis = () => checkClaims((sql) => dataSource.query(sql));

  it('is named by jobs, doctor, overview, metrics and readiness, until claims succeed', async () => {
    const waiting = await until(
      record,
      ({ progress }) => (progress.waiting_for as { reason?: string } | undefined)?.reason === 'claims',
    );
    expect(waiting).toMatchObject({
      status: 'pending',
      progress: { waiting_for: { cause: expect.stringMatching(/fail to take jobs/) as string } },
    });
    expect(waiting.progress.remedy).toMatch(/npm run doctor/);
    expect(JSON.stringify(waiting)).not.toContain(REASON);
    expect(await diagnosis()).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(RegExp(`^1 of 1 workers .* jobs for \\d+ s: ${REASON}$`)) as string,
    });
    expect(await workers()).toMatchObject([{ claims_failing: true }]);
    expect(await failingSeconds()).toBeGreaterThanOrEqual(2);
    expect(await health()).toMatchObject({ status: 'ok', problem: expect.stringMatching(/claim jobs/) });

    await dataSource.query('DROP TRIGGER refuse_execution ON job_executions');
    expect(await waitForEnd(service, workspace, job.id)).toMatchObject({ status: 'completed' });
    expect(await failingSeconds()).toBe(0);
    expect(await health()).not.toHaveProperty('problem');
    await until(async () => (await diagnosis()).status === 'ok');
  });
});
