import { quantile } from '../../../scripts/bench/support/measure.js';
import { resourcesOf } from '../../../scripts/bench/support/resources.js';
import type { Tenant } from './soak-attacks.js';
import { EXPENSIVE_REQUESTS, type ExpensiveRequest } from './soak-bodies.js';

/** Requests of each kind; many are needed because the kernel counts processor time in steps of 10 ms. */
const REPEATS = 20;
const REQUEST_TIMEOUT_MS = 20_000;

/** Costs of refused requests, by kind. */
export type RefusalCosts = Record<
  string,
  {
    status: number;
    /** Mean processor time of the API for one of them, in milliseconds; target: at most 100. */
    cpu_ms: number;
    /**
     * Milliseconds by which it delays a concurrent request of another workspace: the p95 of those requests minus their
     * p95 without it. Target for requests without a key: at most 50.
     */
    delay_ms: number;
  }
>;

/** Measures refused requests, one kind after another, on an otherwise idle service. */
export async function measureRefusals(
  base: string,
  apiPid: number,
  sender: Tenant,
  other: Tenant,
): Promise<RefusalCosts> {
  const probe = async (): Promise<number> => {
    const startedAt = performance.now();
    await send(`${base}/api/v1/workspaces/${other.workspaceId}/jobs?limit=1`, {
      headers: { 'X-API-Key': other.apiKey },
    });
    return performance.now() - startedAt;
  };
  const refused = ({ path, body, headers, withKey }: ExpensiveRequest): Promise<number> =>
    send(`${base}/api/v1/workspaces/${sender.workspaceId}${path}`, {
      method: 'POST',
      body,
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        ...(withKey && { 'X-API-Key': sender.apiKey }),
      },
    });
  const alone: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) alone.push(await probe());
  const costs: RefusalCosts = {};
  for (const [name, request] of Object.entries(EXPENSIVE_REQUESTS)) {
    let status = await refused(request);
    const before = resourcesOf(apiPid).cpuSeconds;
    for (let repeat = 0; repeat < REPEATS; repeat += 1) status = await refused(request);
    const cpuSeconds = resourcesOf(apiPid).cpuSeconds - before;
    const beside: number[] = [];
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const [, delay] = await Promise.all([refused(request), probe()]);
      beside.push(delay);
    }
    costs[name] = {
      status,
      cpu_ms: Math.round((cpuSeconds * 1_000) / REPEATS),
      delay_ms: Math.round(p95(beside) - p95(alone)),
    };
  }
  return costs;
}

/** The status of the response, whose body is read completely. */
async function send(url: string, init: RequestInit): Promise<number> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  await answer.arrayBuffer();
  return answer.status;
}

const p95 = (values: readonly number[]): number => quantile(values, 0.95);
