import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { parseEnvironment } from '../config/environment.js';
import { migrate } from '../database/run-migrations.js';
import { createWorkspace } from './workspace-creation.js';

const USAGE = 'usage: npm run workspace -- create --name NAME [--json]';
const MAX_NAME_LENGTH = 255;

/** Creates a workspace with its first key and prints both; the key is shown this once. */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const name = values.name?.trim() ?? '';
  if (positionals[0] !== 'create' || positionals.length > 1 || name === '' || name.length > MAX_NAME_LENGTH) {
    console.error(USAGE);
    return 2;
  }
  const environment = parseEnvironment(process.env);
  if (environment.DATABASE_URL === undefined)
    throw new Error('DATABASE_URL must name the Postgres of the service');
  await migrate(environment.DATABASE_URL);
  const { workspaceId, apiKey } = await createWorkspace(environment, name);
  console.log(
    values.json
      ? JSON.stringify({ workspace_id: workspaceId, api_key: apiKey })
      : `Workspace ${workspaceId}\nAPI key   ${apiKey}   (shown this once)`,
  );
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
