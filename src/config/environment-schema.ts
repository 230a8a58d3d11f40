import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { normalEmail } from '../common/email-address.js';
import { address, flag, list, listOf, oneOf, wholeNumber } from '../common/variable-types.js';
import { PLATFORM_VARIABLES } from './platforms/platform-variables.js';
import { QUOTA_VARIABLES } from './quotas.js';
import { ROLES } from './roles.js';

/** Clock of the synthetic platform: `real`, or the moment at which it is frozen. */
export const syntheticClock = z
  .string()
  .refine(
    (text) => text === 'real' || z.iso.datetime({ offset: true }).safeParse(text).success,
    'must be "real" or a time with a zone such as 2026-11-01T00:00:00Z',
  );

const UNITS_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts `250ms`, `5s`, `30m`, `2h`, `1d` to milliseconds; null when it is none of these. */
function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  return match ? Number(match[1]) * UNITS_MS[match[2]!]! : null;
}

const isAddressRange = (part: string): boolean => isIP(part) !== 0 || ipaddr.isValidCIDR(part);

/**
 * The variables of the environment with their types, defaults and descriptions. `shown` is the default as
 * docs/configuration.md shows it, where the schema does not tell it.
 */
export const ENVIRONMENT_SCHEMA = z.object({
  HOST: z.string().default('127.0.0.1').describe('the address on which the process listens'),
  PORT: wholeNumber(0, 65_535).default(3000).describe('the port on which the process listens'),
  METRICS_PORT: wholeNumber(0, 65_535).optional().meta({
    description: 'serve `/metrics` on this port instead, so that a proxy of the API cannot show it',
    shown: '`PORT`',
  }),
  TRUSTED_PROXIES: listOf(
    (part) => (isAddressRange(part) ? part : null),
    'an address or a range such as 10.0.0.0/8',
  )
    .default([])
    .describe(
      "addresses and ranges of your proxies; the client's address in log, audit and limits is then taken from `X-Forwarded-For`. Only they may state `https` in `X-Forwarded-Proto`; when none is set, proxies on the same machine may",
    ),
  ROLES: list
    .pipe(z.array(oneOf(ROLES)).min(1, `must name at least one of ${ROLES.join(', ')}`))
    .default([...ROLES])
    .describe('the roles of this process'),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((path) => resolve(path))
    .meta({ description: 'embedded Postgres, Redis, media, generated keys', shown: '.data' }),
  DATABASE_URL: address('postgres:', 'postgresql:')
    .optional()
    .meta({ description: 'your own Postgres', shown: 'embedded' }),
  DATABASE_REQUEST_URL: address('postgres:', 'postgresql:').optional().meta({
    description:
      'the same Postgres with a login for requests, which cannot become the owner of the tables; see [Logins of the database](security.md#logins-of-the-database)',
    shown: 'generated, or that of `DATABASE_URL`',
  }),
  DATABASE_POOL_CONTROL: wholeNumber(2, 1_000)
    .default(10)
    .describe(
      "maximum connections of each process for small statements. The total of all pools of all processes (19 each by default) must stay below Postgres's `max_connections` (100 by default); otherwise use PgBouncer",
    ),
  DATABASE_POOL_SEARCH: wholeNumber(1, 1_000)
    .default(6)
    .describe(
      "maximum connections of each process for lists and searches of posts and comments; each uses up to 64 MB of Postgres's memory for a bitmap or a sort",
    ),
  DATABASE_POOL_EXPORT: wholeNumber(1, 1_000)
    .default(3)
    .describe('maximum connections of each process for exports'),
  DATABASE_STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000)
    .default(30_000)
    .describe('timeout of statements other than searches'),
  SEARCH_TIMEOUT_MS: wholeNumber(100, 60_000)
    .default(5_000)
    .describe('timeout of a search; beyond it the response is 503 `search_timeout`'),
  SEARCH_INDEX_MB: wholeNumber(16, 1_000_000).optional().meta({
    description:
      'memory of each API process for the search index, which is read from Postgres as searches need it',
    shown: "an eighth of the machine's memory, at most half of the container's",
  }),
  EXPORT_STALL_TIMEOUT_MS: wholeNumber(100, 600_000)
    .default(60_000)
    .describe('an export is ended when its client reads nothing for this long'),
  REDIS_URL: address('redis:', 'rediss:')
    .optional()
    .meta({ description: 'your own Redis', shown: 'embedded' }),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, silent'),

  ...PLATFORM_VARIABLES,

  SANDBOX_SEED: wholeNumber(0, 4_294_967_295).default(1).describe("seed of the synthetic platform's content"),
  SANDBOX_CLOCK: syntheticClock.optional().meta({
    description:
      "the synthetic platform's clock: `real`, or a fixed time, e.g. `2026-11-01T00:00:00Z` (default of `--ephemeral` and `npm run platform`)",
    shown: 'real',
  }),
  SANDBOX_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).optional().meta({
    description: 'request budget of the synthetic platform, and of the service when it scrapes that platform',
    shown: 'none',
  }),

  PLATFORM_MEDIA_ORIGINS: list
    .pipe(z.array(address('http:', 'https:')))
    .default([])
    .describe('origins from which media may be fetched even if their address is private'),
  MEDIA_DIR: z.string().optional().meta({ description: 'folder for media files', shown: 'DATA_DIR/media' }),
  MEDIA_MIN_FREE_BYTES: wholeNumber(0, 999_999_999_999_999)
    .default(1_024 ** 3)
    .describe(
      'minimum free space on the disk of `MEDIA_DIR`; below it files are not downloaded and count in `media_failed`. 0 disables the check',
    ),
  MEDIA_S3_BUCKET: z
    .string()
    .optional()
    .describe('bucket of an S3-compatible store, which then holds media and exports instead of `MEDIA_DIR`'),
  MEDIA_S3_ENDPOINT: address('http:', 'https:')
    .optional()
    .describe("address of the S3-compatible store, where it is not Amazon's"),
  MEDIA_S3_REGION: z.string().default('us-east-1').describe('region of the bucket'),
  MEDIA_S3_ACCESS_KEY_ID: z.string().optional().describe('access key of the bucket'),
  MEDIA_S3_SECRET_ACCESS_KEY: z.string().optional().describe('secret of that access key'),

  SMTP_URL: address('smtp:', 'smtps:').optional().describe('mail server of alerts by e-mail'),
  MAIL_FROM: z.string().optional().describe('sender of alerts by e-mail; required with `SMTP_URL`'),
  ALERT_EMAIL_TO: z.string().optional().describe('recipient of alerts by e-mail that name none'),
  ALERT_EMAIL_ALLOWED: listOf(
    (part) => (/^([^@\s]+@)?[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(part) ? normalEmail(part) : null),
    'an address such as me@example.com or a domain such as example.com',
  )
    .optional()
    .meta({
      description:
        'addresses and domains that alerts may be sent to, separated by commas; set it if you do not trust every workspace',
      shown: 'any',
    }),

  JUDGE_URL: address('http:', 'https:')
    .optional()
    .describe(
      'address of the chat completions of a language model (OpenAI-compatible) for the [questions of alerts](alerts.md#read-uncertain-matches-a-second-time), e.g. `http://127.0.0.1:11434/v1/chat/completions`; texts are sent to it',
    ),
  JUDGE_MODEL: z.string().optional().describe('name of that model; required with `JUDGE_URL`'),
  JUDGE_API_KEY: z.string().optional().describe('bearer token for `JUDGE_URL`'),

  ENCRYPTION_KEY: listOf(
    (part) => (/^[0-9a-f]{64}$/i.test(part) ? part : null),
    'a key of 64 hexadecimal digits (32 bytes), for example from: openssl rand -hex 32',
    { isSecret: true },
  )
    .optional()
    .meta({
      description:
        '64 hexadecimal digits; encrypts webhook secrets and channel settings. Use several keys separated by commas while you replace a key',
      shown: 'generated into DATA_DIR',
    }),
  ENCRYPTION_KEYS_LOST: listOf(
    (part) => (/^[0-9a-f]{8}$/i.test(part) ? part.toLowerCase() : null),
    'the id of a key: 8 hexadecimal digits, as the refusal to start names it',
  )
    .default([])
    .describe('ids of lost keys, separated by commas; the service then starts without them'),
  OUTBOUND_ALLOWED_CIDRS: listOf(
    (part) => (isAddressRange(part) ? part : null),
    'an address or a range such as 10.0.0.0/8',
  )
    .default([])
    .describe('private ranges that webhooks and chat addresses may reach'),
  OUTBOUND_USE_PROXY: flag.meta({
    description:
      '`true` sends HTTP requests to other machines through the proxy of `HTTPS_PROXY`; see [Behind an HTTP proxy](operations.md#behind-an-http-proxy)',
    shown: 'false',
  }),
  HTTPS_PROXY: z
    .string()
    .optional()
    .describe(
      'address of that proxy, e.g. `http://proxy.example:3128` or `http://USER:PASSWORD@proxy.example:3128`',
    ),
  NO_PROXY: list
    .default([])
    .describe(
      'hosts, domains and ranges of addresses that are reached without the proxy, separated by commas',
    ),
  WEBHOOK_RETRY_SCHEDULE: listOf(parseDuration, 'a duration such as 5s, 30m or 2h')
    .default([5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000])
    .meta({ description: 'delay before each retry of a webhook', shown: '5s,5m,30m,2h,5h,10h,10h' }),
  WEBHOOK_TIMEOUT_MS: wholeNumber(1, 120_000)
    .default(15_000)
    .describe('timeout of each attempt of a webhook'),

  OTEL_EXPORTER_OTLP_ENDPOINT: address('http:', 'https:')
    .optional()
    .describe(
      'the OpenTelemetry collector that receives [traces](monitoring.md#traces), e.g. `http://127.0.0.1:4318`',
    ),
  OTEL_SERVICE_NAME: z
    .string()
    .default('workspace-scraping-service')
    .describe('the name of this service in traces'),

  ADMIN_TOKEN: z
    .string()
    .regex(
      /^[\x21-\x7e]+$/,
      'must consist of visible ASCII characters without spaces, since it is sent in a header',
    )
    .min(32, 'must have at least 32 characters, for example from: openssl rand -hex 32')
    .optional()
    .meta({
      description:
        'bearer token of the admin API, at least 32 characters. It is not generated if you use your own servers; without a token the admin API answers 404',
      shown: 'generated into DATA_DIR/admin.token',
    }),
  PUBLIC_URL: address('http:', 'https:')
    .transform((text) => text.replace(/\/$/, ''))
    .optional()
    .describe(
      'the address under which people reach the dashboard, for links and for signing in with accounts',
    ),
  OIDC_ISSUER: address('http:', 'https:')
    .optional()
    .describe('the identity provider (OpenID Connect) whose accounts [sign in](members.md) to the dashboard'),
  OIDC_CLIENT_ID: z.string().optional().describe('client id of this service at the identity provider'),
  OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .describe('client secret of this service at the identity provider'),
  OIDC_ADMIN_EMAILS: listOf(
    (part) => (/^[^@\s]+@[^@\s]+$/.test(part) ? normalEmail(part) : null),
    'an address such as me@example.com',
  )
    .default([])
    .describe('addresses of accounts that are operators of this service'),
  RECHECK_DELETED_HOURS: wholeNumber(0, 2_160)
    .default(48)
    .describe(
      'interval at which posts and comments younger than 90 days are [looked up again](sources.md#deleted-content); 0 switches this off',
    ),
  JOB_RETENTION_DAYS: wholeNumber(0, 100_000)
    .default(90)
    .describe(
      'days after which ended jobs are deleted; their posts, comments and files stay. 0 keeps the jobs',
    ),
  AUDIT_RETENTION_DAYS: wholeNumber(0, 100_000)
    .default(365)
    .describe('days after which audit log entries are deleted; 0 keeps them'),
  API_RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000)
    .default(600)
    .describe(
      'requests per minute for each key; all keys of a workspace together may send ten times as many. 0 switches both limits off',
    ),
  ...QUOTA_VARIABLES,
  CORS_ALLOWED_ORIGINS: list.default([]).describe('browser origins that may call the API'),
  SECURITY_CONTACT: address('https:', 'mailto:')
    .default('mailto:security@example.org')
    .describe('where vulnerabilities are reported, in `/.well-known/security.txt`'),
  PLUGINS_DIR: z.string().optional().describe('folder with your own plugins'),
});
