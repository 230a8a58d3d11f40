import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../config/config.module.js';
import { parseEnvironment } from '../config/environment.js';
import { DatabaseModule } from '../database/database.module.js';
import { migrate } from '../database/migrate.js';
import { WorkspacesModule } from '../modules/workspaces/workspaces.module.js';
import { WorkspacesService } from '../modules/workspaces/workspaces.service.js';

const USAGE = 'usage: npm run workspace -- create --name NAME [--json]';
const MAX_NAME_LENGTH = 255;

@Module({})
class WorkspaceCommandModule {}

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
  const app = await NestFactory.createApplicationContext(
    {
      module: WorkspaceCommandModule,
      imports: [ConfigModule.with(environment), DatabaseModule, WorkspacesModule],
    },
    { logger: ['error'], abortOnError: false },
  );
  try {
    const { workspaceId, apiKey } = await app.get(WorkspacesService).create(name);
    console.log(
      values.json
        ? JSON.stringify({ workspace_id: workspaceId, api_key: apiKey })
        : `Workspace ${workspaceId}\nAPI key   ${apiKey}   (shown this once)`,
    );
    return 0;
  } finally {
    await app.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
