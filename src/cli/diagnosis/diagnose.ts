import type { Clock } from '../../common/clock.js';
import { useProxy } from '../../infrastructure/outbound-http/proxy-tunnel.js';
import { runningServers } from '../../launcher/embedded-servers.js';
import { checkDatabase } from './database-checks.js';
import { ok, problem, reasonOf, skipped, type Finding } from './finding.js';
import { checkDataDir, checkDisk, checkPort, checkPrograms } from './machine-checks.js';
import { checkMail, checkMediaStore, checkPlatform, checkReachable, checkRedis } from './server-checks.js';
import { checkSettings } from './settings-checks.js';

/**
 * Checks an installation without changing anything. The embedded servers are checked only while the service runs. A
 * check that itself fails is reported as a problem, so that the other checks still run.
 */
export async function diagnose(given: NodeJS.ProcessEnv, clock: Clock): Promise<Finding[]> {
  const { environment, findings } = checkSettings(given);
  findings.unshift(ok('node', `Node.js ${process.versions.node}`));
  if (environment === null) return [...findings, skipped('others', 'Correct the settings first')];
  useProxy(environment);
  const running = await runningServers(environment.DATA_DIR).catch(() => null);
  const databaseUrl = environment.DATABASE_URL ?? running?.databaseUrl;
  const requestUrl =
    environment.DATABASE_URL === undefined ? running?.databaseRequestUrl : environment.DATABASE_REQUEST_URL;
  const redisUrl = environment.REDIS_URL ?? running?.redisUrl;
  const checks: Record<string, () => Promise<Finding | Finding[]>> = {
    data_dir: () => checkDataDir(environment),
    disk: () => checkDisk(environment),
    port: () => checkPort(environment),
    programs: () => checkPrograms(environment),
    postgres: async () => {
      if (databaseUrl === undefined)
        return skipped(
          'postgres',
          'The service is not running here; start it to check its embedded Postgres',
        );
      const reachable = await checkReachable(
        'postgres',
        { DATABASE_URL: databaseUrl },
        environment.DATABASE_URL === undefined,
      );
      return reachable.status === 'ok'
        ? [
            reachable,
            ...(await checkDatabase(
              databaseUrl,
              { ...environment, DATABASE_REQUEST_URL: requestUrl },
              clock,
            )),
          ]
        : reachable;
    },
    redis: async () => {
      if (redisUrl === undefined)
        return skipped('redis', 'The service is not running here; start it to check its embedded Redis');
      const isEmbedded = environment.REDIS_URL === undefined;
      const reachable = await checkReachable('redis', { REDIS_URL: redisUrl }, isEmbedded);
      return reachable.status === 'ok' ? [reachable, await checkRedis(redisUrl)] : reachable;
    },
    platform: () => checkPlatform(environment),
    mail: () => checkMail(environment),
    media_store: () => checkMediaStore(environment),
  };
  const found = await Promise.all(
    Object.entries(checks).map(([check, run]) =>
      run().catch((error: unknown) =>
        problem(check, `The check itself failed: ${reasonOf(error)}`, 'Fix this, then run the check again'),
      ),
    ),
  );
  return [...findings, ...found.flat()];
}
