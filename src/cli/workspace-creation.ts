import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/environment.js';
import { DatabaseModule } from '../database/database.module.js';
import { WorkspacesModule } from '../modules/workspaces/workspaces.module.js';
import { WorkspacesService } from '../modules/workspaces/workspaces.service.js';

@Module({})
class WorkspaceCommandModule {}

/** Runs `work` with the workspaces of the environment's database, which must be migrated. */
export async function withWorkspaces<T>(
  environment: Environment,
  work: (workspaces: WorkspacesService) => Promise<T>,
): Promise<T> {
  const app = await NestFactory.createApplicationContext(
    {
      module: WorkspaceCommandModule,
      imports: [ConfigModule.with(environment), DatabaseModule, WorkspacesModule],
    },
    { logger: ['error'], abortOnError: false },
  );
  try {
    return await work(app.get(WorkspacesService));
  } finally {
    await app.close();
  }
}

/** Creates a workspace and its first key. */
export function createWorkspace(
  environment: Environment,
  name: string,
): Promise<{ workspaceId: string; apiKey: string }> {
  return withWorkspaces(environment, (workspaces) => workspaces.create(name));
}
