import { Redis } from 'ioredis';
import { withTimeout } from '../../common/timeout.js';
import { ConfigurationError, type Environment } from '../../config/environment.js';
import { hasNoApplication, redditObstacle, usesFeeds } from '../../config/platforms/reddit-variables.js';
import { AT_ONCE, awaitServers } from '../../infrastructure/await-servers.js';
import { configuredFetch } from '../../infrastructure/outbound-http/configured-fetch.js';
import { ok, problem, reasonOf, skipped, warning, type Finding } from './finding.js';
import { withoutEnding } from '../../common/strings.js';

const TIMEOUT_MS = 5_000;
const OLDEST_REDIS = 6;

/** Whether Postgres or Redis, of the operator or embedded, accepts connections; tried once. */
export async function checkReachable(
  check: 'postgres' | 'redis',
  address: Partial<Pick<Environment, 'DATABASE_URL' | 'REDIS_URL'>>,
  isEmbedded: boolean,
): Promise<Finding> {
  const name = check === 'postgres' ? 'Postgres' : 'Redis';
  try {
    await awaitServers(address, () => undefined, AT_ONCE);
    return ok(check, `${name} accepts connections`);
  } catch (error) {
    if (isEmbedded)
      return problem(
        check,
        `The embedded ${name} does not answer: ${reasonOf((error as Error).cause ?? error)}`,
        'Restart the service; its output, and logs/postgres.log in DATA_DIR, name the cause',
      );
    const variable = check === 'postgres' ? 'DATABASE_URL' : 'REDIS_URL';
    return problem(
      check,
      reasonOf(error),
      error instanceof ConfigurationError
        ? `Correct the user, password or database name in ${variable}`
        : `Start the server, correct ${variable}, or open the firewall between this machine and the server`,
    );
  }
}

/** Version of Redis, and whether Redis may evict keys. */
export async function checkRedis(url: string): Promise<Finding> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const info = await redis.info();
    const field = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
    const version = field('redis_version');
    if (Number.parseInt(version, 10) < OLDEST_REDIS)
      return problem(
        'redis_settings',
        `Redis is version ${version}; the service needs ${OLDEST_REDIS} or newer`,
        'Upgrade Redis',
      );
    if (field('maxmemory') !== '0' && field('maxmemory_policy') !== 'noeviction')
      return warning(
        'redis_settings',
        `Redis evicts queue entries when its memory is full (maxmemory-policy ${field('maxmemory_policy')})`,
        'Set maxmemory-policy noeviction',
      );
    return ok('redis_settings', `Redis ${version}`);
  } catch (error) {
    return problem(
      'redis_settings',
      `Redis refuses INFO: ${reasonOf(error)}`,
      'Allow this command for the user (ACL SETUSER)',
    );
  } finally {
    redis.disconnect();
  }
}

/** Whether the platform accepts the operator's credentials. */
export async function checkPlatform(environment: Environment): Promise<Finding> {
  const { PLATFORM_CLIENT_ID: id, PLATFORM_CLIENT_SECRET: secret = '', PLATFORM_USER_AGENT } = environment;
  if (usesFeeds(environment)) return skipped('platform', "No PLATFORM_CLIENT_ID: Reddit's feeds are read");
  if (hasNoApplication(environment))
    return skipped(
      'platform',
      environment.DATABASE_URL === undefined
        ? 'No PLATFORM_CLIENT_ID: the synthetic platform or the archive is used'
        : (redditObstacle(environment) ?? 'No PLATFORM_CLIENT_ID: the given platform or archive is used'),
    );
  const address = `${withoutEnding(environment.PLATFORM_AUTH_URL, '/')}/api/v1/access_token`;
  try {
    const response = await configuredFetch(address, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        'User-Agent': PLATFORM_USER_AGENT ?? '',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return ok('platform', 'The platform accepts the credentials');
    return problem(
      'platform',
      `The platform responded with ${response.status} to the token request`,
      response.status === 401
        ? 'Correct PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET; the application page of the platform shows both'
        : 'Check PLATFORM_AUTH_URL and PLATFORM_USER_AGENT, and try again later',
    );
  } catch (error) {
    return problem(
      'platform',
      `${new URL(address).host} could not be reached: ${reasonOf((error as Error).cause ?? error)}`,
      'Correct PLATFORM_AUTH_URL, or open the firewall for it',
    );
  }
}

/** Whether the operator's mail server accepts a connection and the login. */
export async function checkMail({ SMTP_URL }: Environment): Promise<Finding> {
  if (SMTP_URL === undefined) return skipped('mail', 'No SMTP_URL: email alerts cannot be delivered');
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: SMTP_URL,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await withTimeout(transport.verify(), 2 * TIMEOUT_MS, 'The mail server did not respond');
    return ok('mail', 'The mail server accepts the login');
  } catch (error) {
    return problem(
      'mail',
      `The mail server refused the login: ${reasonOf(error)}`,
      'Correct SMTP_URL, or start the server',
    );
  } finally {
    transport.close();
  }
}

/** Whether the media bucket responds; a media folder is checked with its disk. */
export async function checkMediaStore(environment: Environment): Promise<Finding> {
  if (environment.MEDIA_S3_BUCKET === undefined) return skipped('media_store', 'Media are kept in a folder');
  const { MediaMissing, MediaStore } = await import('../../content/media/media-store.js');
  try {
    const store = await MediaStore.open(environment);
    await withTimeout(store.read('doctor/probe', 1), TIMEOUT_MS, 'The store did not respond');
  } catch (error) {
    if (!(error instanceof MediaMissing))
      return problem(
        'media_store',
        `The bucket ${environment.MEDIA_S3_BUCKET} cannot be read: ${reasonOf(error)}`,
        'Correct MEDIA_S3_ENDPOINT and the access key, and create the bucket',
      );
  }
  return ok('media_store', `The bucket ${environment.MEDIA_S3_BUCKET} is readable`);
}
