import { startTestApplication, type TestApplication } from './application.js';
import { type BreakableProxy, startBreakableProxy } from './breakable-proxy.js';
import { createTestDatabase } from './database.js';
import { closedAfterTests } from './opened.js';
import { createTestRedis } from './redis.js';

/** A service whose connections to its servers can be interrupted. */
export interface BreakableApplication extends TestApplication {
  postgres: BreakableProxy;
  redis: BreakableProxy;
}

export async function startBreakableApplication(
  overrides: Record<string, string> = {},
): Promise<BreakableApplication> {
  const database = await createTestDatabase();
  const postgres = await startBreakableProxy(database.url);
  const requestUrl = new URL(database.requestUrl);
  requestUrl.host = new URL(postgres.url).host;
  const redis = await startBreakableProxy((await createTestRedis()).url);
  const service = await startTestApplication({
    DATABASE_URL: postgres.url,
    DATABASE_REQUEST_URL: requestUrl.href,
    REDIS_URL: redis.url,
    ...overrides,
  });
  return {
    ...service,
    postgres,
    redis,
    close: closedAfterTests(async () => {
      postgres.restore();
      redis.restore();
      await service.close();
      await postgres.close();
      await redis.close();
      await database.drop();
    }),
  };
}
