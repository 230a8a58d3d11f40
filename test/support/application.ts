import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApplication } from '../../src/application.js';
import { type Environment, parseEnvironment } from '../../src/config/environment.js';
import { WorkspacesService } from '../../src/access/workspaces/workspaces.service.js';
import { createTestDatabase } from './database.js';
import { closedAfterTests } from './opened.js';
import { createTestRedis } from './redis.js';

export interface TestApplication {
  app: NestExpressApplication;
  environment: Environment;
  /** `http://127.0.0.1:port`. */
  url: string;
  /** A provider of any module. */
  get<T>(provider: abstract new (...dependencies: never[]) => T): T;
  /** A workspace with an admin key. */
  createWorkspace(name?: string): Promise<TestWorkspace>;
  close(): Promise<void>;
}

export interface TestWorkspace {
  workspaceId: string;
  apiKey: string;
  /** Path of the workspace's resources, e.g. `path('/jobs')`. */
  path(resource: string): string;
}

/**
 * Starts the service with its own database, logical Redis database and data folder, listening on loopback. It is closed
 * after the tests of the file.
 */
export async function startTestApplication(overrides: Record<string, string> = {}): Promise<TestApplication> {
  const database = await createTestDatabase();
  const redis = await createTestRedis();
  const dataDir = await mkdtemp(join(tmpdir(), 'service-data-'));
  const environment = parseEnvironment({
    DATABASE_URL: database.url,
    DATABASE_REQUEST_URL: database.requestUrl,
    REDIS_URL: redis.url,
    DATA_DIR: dataDir,
    PORT: '0',
    ROLES: 'api',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    API_RATE_LIMIT_PER_MINUTE: '0',
    ...overrides,
  });
  const app = await createApplication(environment);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    environment,
    url: `http://127.0.0.1:${port}`,
    get: (provider) => app.get(provider as Type, { strict: false }),
    createWorkspace: async (name = 'Test') => {
      const workspace = await app.get(WorkspacesService, { strict: false }).create(name);
      return { ...workspace, path: (resource) => `/api/v1/workspaces/${workspace.workspaceId}${resource}` };
    },
    close: closedAfterTests(async () => {
      await app.close();
      await redis.wipe();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    }),
  };
}
