import type pg from 'pg';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { connect } from '../support/database.js';
import { runJob } from '../support/jobs.js';
import { withShared } from '../support/shared-folder.js';
import { RecordedSites, recordedSources, recordingsOf } from './site-replay.js';

describe.each(recordedSources)('a job of the recorded source %s', (source) => {
  let sites: RecordedSites | undefined;
  let service: TestApplication | undefined;
  let database: pg.Client | undefined;
  afterEach(async () => {
    await database?.end();
    await service?.close();
    await sites?.stop();
  });

  withShared(recordingsOf(source)).it(
    'stores exactly the content of its target, while requests fail',
    async () => {
      sites = await RecordedSites.start(source, '--fail-rate', '0.3', '--seed', '3');
      service = await startTestApplication({ ROLES: 'api,worker', ...sites.variables });
      database = await connect(service.environment.DATABASE_URL!);
      const [expected] = sites.expected
        .filter(({ comments, posts }) => comments.length > 4 && posts.length > 4)
        .sort((a, b) => a.requests - b.requests);
      const { target, targetType, posts, comments } = expected!;
      const workspace = await service.createWorkspace(source);
      const body = { target, target_type: targetType, limit: 1_000, download_media: false };
      const job = await runJob(service, workspace, body);
      expect(job).toMatchObject({
        status: 'completed',
        error_message: null,
        progress: { source, stop_reason: 'end_of_listing' },
      });
      const ids = async (sql: string): Promise<string[]> =>
        (await database!.query<{ id: string }>(sql, [workspace.workspaceId])).rows.map(({ id }) => id).sort();
      expect(await ids('SELECT id FROM posts WHERE workspace_id = $1')).toEqual(posts);
      expect(await ids('SELECT comment_id AS id FROM comments WHERE workspace_id = $1')).toEqual(comments);
      const again = await runJob(service, workspace, { ...body, mode: 'monitor' });
      expect(again.progress).toMatchObject({ stop_reason: 'up_to_date' });
    },
  );
});
