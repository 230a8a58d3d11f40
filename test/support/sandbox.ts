import { type Sandbox, startSandbox } from '../../src/sandbox/server/sandbox.js';
import { closedAfterTests } from './opened.js';

/** Variables of a service that scrapes the synthetic platform at `url` without waiting for a request budget. */
export function scrapingFrom(url: string): Record<string, string> {
  return {
    ROLES: 'api,worker',
    PLATFORM_BASE_URL: url,
    PLATFORM_AUTH_URL: url,
    PLATFORM_REQUESTS_PER_MINUTE: '1000000',
  };
}

/** The synthetic platform, which is closed after the tests of the file. */
export async function openSandbox(...options: Parameters<typeof startSandbox>): Promise<Sandbox> {
  const sandbox = await startSandbox(...options);
  return { ...sandbox, close: closedAfterTests(() => sandbox.close()) };
}
