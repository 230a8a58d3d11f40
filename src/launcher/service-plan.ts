import type { Environment } from '../config/environment.js';
import type { Role } from '../config/roles.js';
import { hasNoApplication, usesArchiveAlone, usesFeeds } from '../config/platforms/reddit-variables.js';

/** The processes and servers that a start has to start. */
export interface ServicePlan {
  postgres: boolean;
  redis: boolean;
  sandbox: boolean;
  /** One process per entry, with these roles. */
  processes: Role[][];
}

/**
 * Decides which processes and servers to start. The API gets its own process, so that scraping never delays it. The synthetic platform is
 * started where scrapes run, unless credentials, the address of a platform or an archive, Reddit's feeds, or a database were given: it never
 * fills a database of the operator's own. An ephemeral service is a single process, because two take longer to start and its
 * scrapes are small.
 */
export function planService(
  environment: Environment,
  given: NodeJS.ProcessEnv,
  { isEphemeral = false } = {},
): ServicePlan {
  const { ROLES: roles } = environment;
  const others = roles.filter((role) => role !== 'api');
  return {
    postgres: environment.DATABASE_URL === undefined,
    redis: environment.REDIS_URL === undefined,
    sandbox:
      environment.DATABASE_URL === undefined &&
      roles.includes('worker') &&
      hasNoApplication(environment) &&
      !usesArchiveAlone(environment) &&
      !usesFeeds(environment) &&
      !given.PLATFORM_BASE_URL,
    processes: isEphemeral
      ? [roles]
      : [roles.includes('api') ? (['api'] as const).slice() : [], others].filter((group) => group.length > 0),
  };
}

/** Whether the roles can run in this process, because there is no other process to supervise. */
export function isSingleProcess(plan: ServicePlan): boolean {
  return !plan.postgres && !plan.redis && !plan.sandbox && plan.processes.length === 1;
}
