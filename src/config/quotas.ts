import { NamedRegistry } from '../common/named-registry.js';
import { wholeNumber } from '../common/variable-types.js';

/** One limit of a workspace: the environment, usage, overrides, the contract and the dashboard are derived from it. */
export interface QuotaDefinition {
  /** As in usage and overrides; `QUOTA_<NAME>` sets the operator's default. */
  name: string;
  /** Name in the dashboard. */
  title: string;
  /**
   * `stock` limits the rows that a workspace stores, and is checked in the transaction that adds the rows. `concurrency` limits
   * the operations that it runs at the same time, and is counted separately by each API process.
   */
  kind: 'stock' | 'concurrency';
  /** Limit of a workspace without its own; 0 means no limit. */
  default: number;
  /** The counted things, where the name does not say it. */
  description?: string;
  /**
   * Milliseconds that a request waits for an earlier one of the workspace to finish before it is rejected. Bursts of
   * short requests get through; event streams last for minutes, so waiting would not help.
   */
  waitMs?: number;
}

const BUILT_IN = [
  { name: 'pending_jobs', title: 'Unfinished jobs', kind: 'stock', default: 1_000 },
  { name: 'schedules', title: 'Schedules', kind: 'stock', default: 1_000 },
  { name: 'alerts', title: 'Alerts', kind: 'stock', default: 500 },
  {
    name: 'alert_keywords',
    title: 'Alert keywords',
    kind: 'stock',
    default: 20_000,
    description: 'Sum over all alerts of keywords × forums; an alert without forums counts as one forum.',
  },
  {
    name: 'alert_subscriptions',
    title: 'Alert subscriptions',
    kind: 'stock',
    default: 5_000,
    description: 'Sum over all members of the alerts of which they are notified at their own addresses.',
  },
  {
    name: 'listened_posts_per_day',
    title: 'Listened posts a day',
    kind: 'stock',
    default: 20_000,
    description:
      'Posts and comments stored for `listen` since midnight UTC; further ones are counted, not stored.',
  },
  {
    name: 'listened_sites',
    title: 'Listened sites and feeds',
    kind: 'stock',
    default: 100,
    description: 'Distinct sites and feeds in `listen` of alerts and saved searches.',
  },
  {
    name: 'second_readings_per_day',
    title: 'Second readings a day',
    kind: 'stock',
    default: 500,
    description: "Matches that the operator's language model read since midnight UTC.",
  },
  { name: 'reports', title: 'Reports', kind: 'stock', default: 100 },
  { name: 'recurring_exports', title: 'Recurring exports', kind: 'stock', default: 20 },
  { name: 'webhooks', title: 'Webhooks', kind: 'stock', default: 100 },
  { name: 'api_keys', title: 'API keys', kind: 'stock', default: 100 },
  { name: 'media_bytes', title: 'Media', kind: 'stock', default: 100 * 1_024 ** 3 },
  {
    name: 'idempotency_keys',
    title: 'Idempotency keys',
    kind: 'stock',
    default: 10_000,
    description: 'Responses that are kept to answer repeats of requests with an `Idempotency-Key`.',
  },
  {
    name: 'idempotency_bytes',
    title: 'Responses to idempotency keys',
    kind: 'stock',
    default: 50 * 1_024 ** 2,
  },
  {
    name: 'concurrent_searches',
    title: 'Concurrent searches',
    kind: 'concurrency',
    default: 4,
    waitMs: 1_000,
  },
  { name: 'event_streams', title: 'Concurrent event streams', kind: 'concurrency', default: 20, waitMs: 0 },
  { name: 'running_exports', title: 'Concurrent exports', kind: 'concurrency', default: 2, waitMs: 1_000 },
] as const satisfies readonly QuotaDefinition[];

type BuiltIn = (typeof BUILT_IN)[number];

/** Name of a stock quota. */
export type StockQuota = Extract<BuiltIn, { kind: 'stock' }>['name'];
/** Name of a concurrency quota. */
export type ConcurrencyQuota = Extract<BuiltIn, { kind: 'concurrency' }>['name'];
/** Name of any quota. */
export type Quota = BuiltIn['name'];

/** The quotas of workspaces. */
export const QUOTAS = new NamedRegistry<QuotaDefinition>('quota', BUILT_IN);

type QuotaVariable = `QUOTA_${Uppercase<Quota>}`;

const variableOf = (name: string): QuotaVariable => `QUOTA_${name.toUpperCase()}` as QuotaVariable;

const limit = ({ title, kind, default: byDefault }: QuotaDefinition) =>
  wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(byDefault)
    .describe(
      `quota of each workspace: ${title.toLowerCase()}${kind === 'stock' ? '' : ', counted by each API process'}; 0 means no limit`,
    );

/** The variables with the operator's limits. */
export const QUOTA_VARIABLES = Object.fromEntries(
  BUILT_IN.map((quota) => [variableOf(quota.name), limit(quota)]),
) as Record<QuotaVariable, ReturnType<typeof limit>>;

/** The operator's limit for every workspace; 0 means no limit. */
export function defaultLimit(environment: Partial<Record<QuotaVariable, number>>, name: string): number {
  return environment[variableOf(name)] ?? QUOTAS.get(name).default;
}
