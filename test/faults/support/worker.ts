import { type Installation, scrapingVariables } from '../../../scripts/bench/support/jobs.js';
import { ServiceProcess } from '../../../scripts/bench/support/service-process.js';

/** A worker of the service in a process of its own, which can be killed at any moment. */
export class Worker extends ServiceProcess {
  constructor(installation: Installation, overrides: Record<string, string> = {}) {
    super({ ...scrapingVariables(installation), ROLES: 'worker', ...overrides });
  }
}
