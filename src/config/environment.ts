import { resolve } from 'node:path';
import { z } from 'zod';
import { parseDuration } from './duration.js';

export const ROLES = ['api', 'worker', 'scheduler'] as const;
export type Role = (typeof ROLES)[number];

/** `a, b ,c` as a list without empty parts. */
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const wholeNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum));

const address = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );

const durations = list.transform((parts, context) =>
  parts.map((part) => {
    const milliseconds = parseDuration(part);
    if (milliseconds === null)
      context.addIssue({ code: 'custom', message: `"${part}" is not a duration such as 5s, 30m or 2h` });
    return milliseconds ?? 0;
  }),
);

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  ROLES: list.pipe(z.array(z.enum(ROLES)).min(1)).default([...ROLES]),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((path) => resolve(path)),
  DATABASE_URL: address('postgres:', 'postgresql:').optional(),
  REDIS_URL: address('redis:', 'rediss:').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),

  PLATFORM_CLIENT_ID: z.string().optional(),
  PLATFORM_CLIENT_SECRET: z.string().optional(),
  PLATFORM_USER_AGENT: z.string().optional(),
  PLATFORM_BASE_URL: address('http:', 'https:').default('https://oauth.reddit.com'),
  PLATFORM_AUTH_URL: address('http:', 'https:').default('https://www.reddit.com'),
  PLATFORM_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(100),
  ARCHIVE_BASE_URL: address('http:', 'https:').optional(),

  PLATFORM_MEDIA_ORIGINS: list.pipe(z.array(address('http:', 'https:'))).default([]),
  MEDIA_DIR: z.string().optional(),
  MEDIA_S3_BUCKET: z.string().optional(),
  MEDIA_S3_ENDPOINT: address('http:', 'https:').optional(),
  MEDIA_S3_REGION: z.string().default('us-east-1'),
  MEDIA_S3_ACCESS_KEY_ID: z.string().optional(),
  MEDIA_S3_SECRET_ACCESS_KEY: z.string().optional(),

  SMTP_URL: address('smtp:', 'smtps:').optional(),
  MAIL_FROM: z.string().optional(),
  ALERT_EMAIL_TO: z.string().optional(),

  ENCRYPTION_KEY: z
    .string()
    .regex(
      /^[0-9a-f]{64}$/i,
      'must be 64 hexadecimal digits (32 bytes), for example from: openssl rand -hex 32',
    )
    .optional(),
  OUTBOUND_ALLOWED_CIDRS: list.default([]),
  WEBHOOK_RETRY_SCHEDULE: durations.default([
    5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000,
  ]),
  WEBHOOK_TIMEOUT_MS: wholeNumber(1, 120_000).default(15_000),

  API_RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000).default(600),
  CORS_ALLOWED_ORIGINS: list.default([]),
  PLUGINS_DIR: z.string().optional(),
});

/** The environment after parsing. Durations are milliseconds, folders absolute. */
export type Environment = z.output<typeof schema>;

export const ENVIRONMENT = Symbol('ENVIRONMENT');

/** A configuration that cannot work. Its message is for the operator: one line a variable, each with its mend. */
export class ConfigurationError extends Error {}

/** Reads the environment; an empty variable counts as unset. Throws {@link ConfigurationError} naming every bad variable. */
export function parseEnvironment(source: NodeJS.ProcessEnv): Environment {
  const set = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(set);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${String(issue.path[0])}: ${issue.message}`);
    throw new ConfigurationError(`The configuration cannot work:\n${lines.join('\n')}`);
  }
  const problems = contradictions(parsed.data);
  if (problems.length > 0)
    throw new ConfigurationError(
      `The configuration cannot work:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  return parsed.data;
}

/** Whether the operator brought an OAuth application; without one the synthetic platform is used. */
export function usesSandbox(environment: Environment): boolean {
  return environment.PLATFORM_CLIENT_ID === undefined;
}

function contradictions(environment: Environment): string[] {
  const problems: string[] = [];
  if (environment.PLATFORM_CLIENT_ID !== undefined && environment.PLATFORM_CLIENT_SECRET === undefined)
    problems.push(
      "PLATFORM_CLIENT_SECRET: must be set beside PLATFORM_CLIENT_ID (both come from the platform's application page)",
    );
  if (environment.PLATFORM_CLIENT_ID !== undefined && environment.PLATFORM_USER_AGENT === undefined)
    problems.push(
      'PLATFORM_USER_AGENT: must be set beside PLATFORM_CLIENT_ID (the platform blocks clients without a telling one, e.g. "server:my-scraper:1.0 (by /u/me)")',
    );
  if (environment.SMTP_URL !== undefined && environment.MAIL_FROM === undefined)
    problems.push('MAIL_FROM: must be set beside SMTP_URL (the sender address of alert mails)');
  return problems;
}
