import { editDistance } from '../common/edit-distance.js';
import { PLATFORM_VARIABLES } from './platforms/platform-variables.js';

/** A name that needs more edits is a different name, not a misspelling. */
const MAX_DISTANCE = 3;
/** Names as short as `HOST` resemble many names of other programs. */
const SHORTEST = 8;

/** A variable that was probably meant to be another one. */
export interface MisspelledVariable {
  name: string;
  nearest: string;
}

/**
 * The names in `given` that are unknown but share their first word (`PLATFORM_`, `WEBHOOK_`) with a known name and are
 * at most 3 edits away from a known name that is not given. This leaves variables of other programs alone.
 */
export function misspelledVariables(
  given: readonly string[],
  known: readonly string[],
): MisspelledVariable[] {
  const firstWords = new Set(known.filter((name) => name.includes('_')).map(firstWord));
  const unset = known.filter((name) => !given.includes(name));
  return given.flatMap((name) => {
    if (known.includes(name) || name.length < SHORTEST || !firstWords.has(firstWord(name))) return [];
    const [closest] = unset
      .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
      .sort((a, b) => a.distance - b.distance);
    return closest !== undefined && closest.distance <= MAX_DISTANCE
      ? [{ name, nearest: closest.candidate }]
      : [];
  });
}

/** The first word of a name. */
function firstWord(name: string): string {
  return name.split('_', 1)[0]!;
}

/** First words that, as far as known, no other program uses in its variables on a machine of this service. */
export const OWN_PREFIXES: readonly string[] = [
  ...new Set(Object.keys(PLATFORM_VARIABLES).map((name) => `${firstWord(name)}_`)),
  'ALERT_EMAIL_',
  'API_RATE_LIMIT_',
  'AUDIT_RETENTION_',
  'CORS_',
  'DATABASE_POOL_',
  'ENCRYPTION_',
  'EXPORT_STALL_',
  'JOB_RETENTION_',
  'MEDIA_MIN_',
  'MEDIA_S3_',
  'OUTBOUND_',
  'PLUGINS_',
  'QUOTA_',
  'RECHECK_',
  'SANDBOX_',
  'SEARCH_TIMEOUT_',
  'SMTP_',
  'WEBHOOK_',
];

/**
 * Names in `given` that are unknown but have a prefix that only this service uses, each with the closest known name
 * that has the same prefix.
 */
export function variablesWithoutEffect(
  given: readonly string[],
  known: readonly string[],
): MisspelledVariable[] {
  return given.flatMap((name) => {
    const prefix = OWN_PREFIXES.find((one) => name.startsWith(one));
    if (prefix === undefined || known.includes(name)) return [];
    const [nearest] = known
      .filter((candidate) => candidate.startsWith(prefix))
      .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
      .sort((a, b) => a.distance - b.distance);
    return [{ name, nearest: nearest!.candidate }];
  });
}
