import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/environment.js';
import { DatabaseModule } from '../database/database.module.js';
import { WorkspacesModule } from '../modules/workspaces/workspaces.module.js';
import { WorkspacesService } from '../modules/workspaces/workspaces.service.js';

@Module({})
class WorkspaceCommandModule {}

/** A new workspace and its first key in the database of the environment, which must be migrated. */
export async function createWorkspace(
  environment: Environment,
  name: string,
): Promise<{ workspaceId: string; apiKey: string }> {
  const app = await NestFactory.createApplicationContext(
    {
      module: WorkspaceCommandModule,
      imports: [ConfigModule.with(environment), DatabaseModule, WorkspacesModule],
    },
    { logger: ['error'], abortOnError: false },
  );
  try {
    return await app.get(WorkspacesService).create(name);
  } finally {
    await app.close();
  }
}
