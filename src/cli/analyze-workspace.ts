import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { parseId, publicId } from '../common/ids.js';
import { parseEnvironment } from '../config/environment.js';
import { migrate } from '../database/run-migrations.js';
import { AuditService } from '../access/audit/audit.service.js';
import { CollectModule } from '../collect/collect.module.js';
import { type AnalysisProgress, StoredAnalysis } from '../collect/imports/stored-analysis.service.js';
import { WorkspacesRepository } from '../tenants/workspaces/workspaces.repository.js';
import { audited } from './audited.js';
import { createCommandContext } from './command-context.js';
import { interruption } from './interruption.js';
import { runCommand, UsageError } from './run-command.js';
import { type DatabaseEnvironment, withServiceDatabase } from './service-database.js';

const USAGE = 'usage: npm run analyze -- --workspace ID [--json]';
/** Interval between progress updates. */
const SHOWN_EVERY_MS = 10_000;

async function main(): Promise<number> {
  const { workspace, json } = parseArgs({
    options: { workspace: { type: 'string' }, json: { type: 'boolean', default: false } },
  }).values;
  if (workspace === undefined) throw new UsageError('--workspace is required');
  const workspaceId = parseId('workspace', workspace);
  if (workspaceId === null) throw new UsageError(`"${workspace}" is not the id of a workspace`);
  await withServiceDatabase(parseEnvironment(process.env), (environment) =>
    analyze(environment, workspaceId, json),
  );
  return 0;
}

/** Analyses imported rows; prints progress on standard error and the result on standard output. */
async function analyze(environment: DatabaseEnvironment, workspaceId: string, json: boolean): Promise<void> {
  await migrate(environment.DATABASE_URL);
  const app = await createCommandContext(environment, [CollectModule]);
  const stop = interruption();
  try {
    if ((await app.get(WorkspacesRepository).find(workspaceId)) === null)
      throw new Error(`Workspace ${publicId('workspace', workspaceId)} does not exist`);
    const { examined, posts, comments } = await audited(
      app.get(AuditService),
      { action: 'analyze', targetWorkspaceId: workspaceId },
      () => app.get(StoredAnalysis).run(workspaceId, progressDisplay(json), stop),
    );
    console.log(
      json
        ? JSON.stringify({ examined, posts, comments })
        : `${posts} posts and ${comments} comments analysed; ${examined} examined`,
    );
  } finally {
    await app.close();
  }
}

/** Prints the number of rows at a fixed interval; nothing when JSON is requested. */
function progressDisplay(isJson: boolean): (progress: AnalysisProgress) => void {
  let shownAt = performance.now();
  return ({ examined }) => {
    const now = performance.now();
    if (isJson || now - shownAt < SHOWN_EVERY_MS) return;
    shownAt = now;
    console.error(`${examined} posts and comments examined`);
  };
}

await runCommand(USAGE, main);
