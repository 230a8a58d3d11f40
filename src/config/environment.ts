import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { address, list, listOf, oneOf, wholeNumber } from '../common/variable-types.js';
import { PLATFORM_VARIABLES, platformContradictions } from '../platforms/platform-variables.js';
import { QUOTA_VARIABLES } from './quotas.js';
import { misspelledVariables, variablesWithoutEffect } from './misspelled-variables.js';
import { SECRET_VARIABLES, withSecretFiles } from './secret-variables.js';

/** Clock of the synthetic platform: `real`, or the moment at which it is frozen. */
export const syntheticClock = z
  .string()
  .refine(
    (text) => text === 'real' || z.iso.datetime({ offset: true }).safeParse(text).success,
    'must be "real" or a time with a zone such as 2026-11-01T00:00:00Z',
  );

/** Roles of a process; `ROLES` names any number of these. */
export const ROLES = ['api', 'worker', 'scheduler'] as const;
export type Role = (typeof ROLES)[number];

const UNITS_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts `250ms`, `5s`, `30m`, `2h`, `1d` to milliseconds; null when it is none of these. */
function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  return match ? Number(match[1]) * UNITS_MS[match[2]!]! : null;
}

const isAddressRange = (part: string): boolean => isIP(part) !== 0 || ipaddr.isValidCIDR(part);

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  TRUSTED_PROXIES: listOf(
    (part) => (isAddressRange(part) ? part : null),
    'an address or a range such as 10.0.0.0/8',
  ).default([]),
  ROLES: list
    .pipe(z.array(oneOf(ROLES)).min(1, `must name at least one of ${ROLES.join(', ')}`))
    .default([...ROLES]),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((path) => resolve(path)),
  DATABASE_URL: address('postgres:', 'postgresql:').optional(),
  DATABASE_POOL_CONTROL: wholeNumber(2, 1_000).default(10),
  DATABASE_POOL_SEARCH: wholeNumber(1, 1_000).default(6),
  DATABASE_POOL_EXPORT: wholeNumber(1, 1_000).default(3),
  DATABASE_STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000).default(30_000),
  SEARCH_TIMEOUT_MS: wholeNumber(100, 60_000).default(5_000),
  EXPORT_STALL_TIMEOUT_MS: wholeNumber(100, 600_000).default(60_000),
  REDIS_URL: address('redis:', 'rediss:').optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),

  ...PLATFORM_VARIABLES,

  SANDBOX_SEED: wholeNumber(0, 4_294_967_295).default(1),
  SANDBOX_CLOCK: syntheticClock.optional(),
  SANDBOX_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).optional(),

  PLATFORM_MEDIA_ORIGINS: list.pipe(z.array(address('http:', 'https:'))).default([]),
  MEDIA_DIR: z.string().optional(),
  MEDIA_MIN_FREE_BYTES: wholeNumber(0, 999_999_999_999_999).default(1_024 ** 3),
  MEDIA_S3_BUCKET: z.string().optional(),
  MEDIA_S3_ENDPOINT: address('http:', 'https:').optional(),
  MEDIA_S3_REGION: z.string().default('us-east-1'),
  MEDIA_S3_ACCESS_KEY_ID: z.string().optional(),
  MEDIA_S3_SECRET_ACCESS_KEY: z.string().optional(),

  SMTP_URL: address('smtp:', 'smtps:').optional(),
  MAIL_FROM: z.string().optional(),
  ALERT_EMAIL_TO: z.string().optional(),
  ALERT_EMAIL_ALLOWED: listOf(
    (part) => (/^([^@\s]+@)?[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(part) ? part.toLowerCase() : null),
    'an address such as me@example.com or a domain such as example.com',
  ).optional(),

  ENCRYPTION_KEY: listOf(
    (part) => (/^[0-9a-f]{64}$/i.test(part) ? part : null),
    'a key of 64 hexadecimal digits (32 bytes), for example from: openssl rand -hex 32',
    { isSecret: true },
  ).optional(),
  ENCRYPTION_KEYS_LOST: listOf(
    (part) => (/^[0-9a-f]{8}$/i.test(part) ? part.toLowerCase() : null),
    'the id of a key: 8 hexadecimal digits, as the refusal to start names it',
  ).default([]),
  OUTBOUND_ALLOWED_CIDRS: listOf(
    (part) => (isAddressRange(part) ? part : null),
    'an address or a range such as 10.0.0.0/8',
  ).default([]),
  WEBHOOK_RETRY_SCHEDULE: listOf(parseDuration, 'a duration such as 5s, 30m or 2h').default([
    5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000,
  ]),
  WEBHOOK_TIMEOUT_MS: wholeNumber(1, 120_000).default(15_000),

  OTEL_EXPORTER_OTLP_ENDPOINT: address('http:', 'https:').optional(),
  OTEL_SERVICE_NAME: z.string().default('workspace-scraping-service'),

  ADMIN_TOKEN: z
    .string()
    .regex(
      /^[\x21-\x7e]+$/,
      'must consist of visible ASCII characters without spaces, since it is sent in a header',
    )
    .min(32, 'must have at least 32 characters, for example from: openssl rand -hex 32')
    .optional(),
  RECHECK_DELETED_HOURS: wholeNumber(0, 2_160).default(48),
  JOB_RETENTION_DAYS: wholeNumber(0, 100_000).default(90),
  AUDIT_RETENTION_DAYS: wholeNumber(0, 100_000).default(365),
  API_RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000).default(600),
  ...QUOTA_VARIABLES,
  CORS_ALLOWED_ORIGINS: list.default([]),
  SECURITY_CONTACT: address('https:', 'mailto:').default('mailto:security@example.org'),
  PLUGINS_DIR: z.string().optional(),
});

/** The names of all variables; each of {@link SECRET_VARIABLES} can instead be given as a file. */
export const VARIABLES: readonly string[] = Object.keys(schema.shape);
const NAMES = [...VARIABLES, ...SECRET_VARIABLES.map((name) => `${name}_FILE`)];

/** The environment after parsing. Durations are milliseconds, folders absolute. */
export type Environment = z.output<typeof schema>;

/** Injection token of the process's {@link Environment}. */
export const ENVIRONMENT = Symbol('ENVIRONMENT');

/** The configuration cannot work. Its message is for the operator: one sentence per variable, with the remedy. */
export class ConfigurationError extends Error {
  constructor(sentences: string | readonly string[]) {
    const lines = [sentences].flat();
    super(lines.length === 1 ? lines[0] : `The configuration is invalid:\n  ${lines.join('\n  ')}`);
  }
}

/**
 * Reads the environment; an empty variable counts as unset. Throws {@link ConfigurationError} naming every variable
 * that is invalid or misspelled.
 */
export function parseEnvironment(source: NodeJS.ProcessEnv): Environment {
  const { variables, problems: unreadable } = withSecretFiles(source);
  const set = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(set);
  const problems = [
    ...unreadable,
    ...misspelledVariables(Object.keys(set), NAMES).map(
      ({ name, nearest }) => `${name} is not a variable of this service; set ${nearest} or unset it`,
    ),
    ...(parsed.success
      ? contradictions(parsed.data)
      : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)),
  ];
  if (problems.length > 0 || !parsed.success) throw new ConfigurationError(problems);
  return parsed.data;
}

/** One sentence for each variable that looks like one of this service's variables but has no effect. */
export function unknownVariables(source: NodeJS.ProcessEnv): string[] {
  return variablesWithoutEffect(Object.keys(source), NAMES).map(
    ({ name, nearest }) =>
      `${name} is not a variable of this service and has no effect; the nearest is ${nearest}`,
  );
}

function contradictions(environment: Environment): string[] {
  const problems = platformContradictions(environment);
  if (environment.SMTP_URL !== undefined && environment.MAIL_FROM === undefined)
    problems.push('MAIL_FROM must be set together with SMTP_URL: the sender address of alert emails');
  return problems;
}
