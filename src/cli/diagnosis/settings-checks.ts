import {
  ConfigurationError,
  parseEnvironment,
  unknownVariables,
  type Environment,
} from '../../config/environment.js';
import { ok, problem, warning, type Finding } from './finding.js';

const REMEDY = 'Correct the variable; docs/configuration.md lists all of them';

/** The environment without invalid variables, and a finding for each of these; null when nothing is left to check. */
export function checkSettings(given: NodeJS.ProcessEnv): {
  environment: Environment | null;
  findings: Finding[];
} {
  const findings = unknownVariables(given).map((sentence) =>
    warning('settings', sentence, 'Unset it, or set the variable that you meant'),
  );
  const [environment, problems] = parse(given);
  findings.push(...problems.map((sentence) => problem('settings', sentence, REMEDY)));
  if (environment !== null) {
    findings.push(...withoutEffect(environment));
    return {
      environment,
      findings: findings.length > 0 ? findings : [ok('settings', 'All variables are valid')],
    };
  }
  // Each sentence begins with its variable. The valid variables are still worth checking.
  const invalid = problems.map((sentence) => sentence.split(' ', 1)[0]!);
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !invalid.includes(name)));
  return { environment: parse(rest)[0], findings };
}

function parse(given: NodeJS.ProcessEnv): [Environment | null, string[]] {
  try {
    return [parseEnvironment(given), []];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const lines = error.message.split('\n');
    return [null, (lines.length === 1 ? lines : lines.slice(1)).map((line) => line.trim())];
  }
}

/** Settings that contradict each other but do not prevent the service from starting. */
function withoutEffect(environment: Environment): Finding[] {
  const findings: Finding[] = [];
  if (environment.MEDIA_DIR !== undefined && environment.MEDIA_S3_BUCKET !== undefined)
    findings.push(
      warning('settings', 'MEDIA_DIR has no effect while MEDIA_S3_BUCKET is set', 'Unset one of them'),
    );
  if (environment.DATABASE_URL !== undefined && environment.ENCRYPTION_KEY === undefined)
    findings.push(
      warning(
        'settings',
        'ENCRYPTION_KEY is not set, but DATABASE_URL names a shared Postgres; a second machine would generate another key and refuse to start',
        'Set ENCRYPTION_KEY to the content of DATA_DIR/encryption.key on every machine',
      ),
    );
  if (environment.OUTBOUND_ALLOWED_CIDRS.some((range) => /^(0\.0\.0\.0|::)\/0$/.test(range)))
    findings.push(
      warning(
        'settings',
        'OUTBOUND_ALLOWED_CIDRS lets webhooks reach all private addresses',
        'List only the ranges of your webhook receivers',
      ),
    );
  if (environment.HTTPS_PROXY !== undefined && !environment.OUTBOUND_USE_PROXY)
    findings.push(
      warning(
        'settings',
        'HTTPS_PROXY has no effect while OUTBOUND_USE_PROXY is false',
        'Set OUTBOUND_USE_PROXY to true if other machines are reached only through the proxy',
      ),
    );
  findings.push(...weakened(environment));
  return findings;
}

/** Settings that work, and protect less than their defaults do. */
function weakened(environment: Environment): Finding[] {
  const { CORS_ALLOWED_ORIGINS, API_RATE_LIMIT_PER_MINUTE, AUDIT_RETENTION_DAYS, TRUSTED_PROXIES } =
    environment;
  const isPublic = !['127.0.0.1', '::1', 'localhost'].includes(environment.HOST);
  const found: [boolean, string, string][] = [
    [
      CORS_ALLOWED_ORIGINS.includes('*'),
      'CORS_ALLOWED_ORIGINS lets every page of the web call the API',
      'List only the origins of your pages',
    ],
    [
      API_RATE_LIMIT_PER_MINUTE === 0,
      'API_RATE_LIMIT_PER_MINUTE is 0, so a key can send any number of requests',
      'Set a limit, for example 600',
    ],
    [
      AUDIT_RETENTION_DAYS > 0 && AUDIT_RETENTION_DAYS < 30,
      `AUDIT_RETENTION_DAYS keeps the audit log for only ${AUDIT_RETENTION_DAYS} days`,
      'Keep it for at least 30 days',
    ],
    [
      TRUSTED_PROXIES.some((range) => /\/0$/.test(range)),
      'TRUSTED_PROXIES trusts every address, so clients can choose the address in log, audit and limits',
      'List only the addresses of your proxies',
    ],
    [
      isPublic && environment.METRICS_PORT === undefined && environment.ROLES.includes('api'),
      `The API listens on ${environment.HOST} and serves /metrics there`,
      'Set METRICS_PORT, or let the proxy refuse /metrics',
    ],
  ];
  return found.flatMap(([applies, message, remedy]) =>
    applies ? [warning('settings', message, remedy)] : [],
  );
}
