import { z } from 'zod';
import { platformContradictions } from './platforms/platform-variables.js';
import { proxyContradiction } from './outbound-proxy.js';
import { ENVIRONMENT_SCHEMA } from './environment-schema.js';
import { misspelledVariables, variablesWithoutEffect } from './misspelled-variables.js';
import { SECRET_VARIABLES, withSecretFiles } from './secret-variables.js';

/** The names of all variables; each of {@link SECRET_VARIABLES} can instead be given as a file. */
export const VARIABLES: readonly string[] = Object.keys(ENVIRONMENT_SCHEMA.shape);
const NAMES = [...VARIABLES, ...SECRET_VARIABLES.map((name) => `${name}_FILE`)];

/** The environment after parsing. Durations are milliseconds, folders absolute. */
export type Environment = z.output<typeof ENVIRONMENT_SCHEMA>;

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
  const parsed = ENVIRONMENT_SCHEMA.safeParse(set);
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
  const withoutProxy = proxyContradiction(environment);
  if (withoutProxy !== null) problems.push(withoutProxy);
  if (environment.SMTP_URL !== undefined && environment.MAIL_FROM === undefined)
    problems.push('MAIL_FROM must be set together with SMTP_URL: the sender address of alert emails');
  if (environment.JUDGE_URL !== undefined && environment.JUDGE_MODEL === undefined)
    problems.push('JUDGE_MODEL must be set together with JUDGE_URL: the name of the model');
  if (environment.DATABASE_REQUEST_URL !== undefined && environment.DATABASE_URL === undefined)
    problems.push('DATABASE_REQUEST_URL must be set together with DATABASE_URL: it is the same Postgres');
  const missing = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL'] as const;
  if (environment.OIDC_ISSUER !== undefined)
    for (const name of missing)
      if (environment[name] === undefined)
        problems.push(`${name} must be set together with OIDC_ISSUER; docs/members.md says to what`);
  return problems;
}
