import { beginningOf } from '../../common/strings.js';
import { PlatformError, type PlatformErrorCode } from '../platform.js';
import { asText, storableText, unescaped, type WireObject } from '../http/response-parsing.js';
import type { RetryPolicy } from '../http/retry-policy.js';

/** The subject of a request. */
export interface Subject {
  kind: 'forum' | 'user' | 'post' | 'look-up';
  name: string;
}

/** A subject as it appears in messages: `forum "technology"`. */
export function describeSubject(subject: Subject): string {
  return subject.kind === 'look-up' ? subject.name : `${subject.kind} "${subject.name}"`;
}

const REASONS: Readonly<Record<string, { code: PlatformErrorCode; says: string }>> = {
  private: {
    code: 'target_private',
    says: 'is private: only members whom its moderators approved can read it',
  },
  banned: { code: 'target_banned', says: 'was banned by Reddit' },
  quarantined: {
    code: 'target_quarantined',
    says: 'is quarantined: only an account that opted in on Reddit can read it',
  },
  gated: {
    code: 'target_gated',
    says: 'is gated: only an account that accepted its warning on Reddit can read it',
  },
  user_doesnt_exist: { code: 'target_not_found', says: 'does not exist on Reddit' },
};

/** The error for a final response with status 400 or above; the message names the subject and the cause. */
export function refusal(
  subject: Subject,
  status: number,
  body: WireObject | null,
  insufficientScope = false,
): PlatformError {
  const who = capitalised(describeSubject(subject));
  const reason = asText(body?.reason)?.toLowerCase() ?? '';
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  const said = quote(body);
  if (known) return new PlatformError(known.code, `${who} ${known.says}${said}`);
  if (insufficientScope)
    return new PlatformError(
      'credentials_refused',
      `The OAuth application may not read ${describeSubject(subject)}: its token lacks the scope${said}`,
    );
  switch (status) {
    case 404:
    case 410:
      return notFound(subject, said);
    case 403:
    case 451:
      return new PlatformError(
        'target_forbidden',
        `Reddit does not let this OAuth application read ${describeSubject(subject)} (status ${status}): ${FORBIDDEN_BECAUSE[subject.kind]}${said}`,
      );
    default:
      return new PlatformError(
        'bad_answer',
        `Reddit refused the request for ${describeSubject(subject)} with status ${status}${said}`,
      );
  }
}

const FORBIDDEN_BECAUSE: Readonly<Record<Subject['kind'], string>> = {
  forum: 'it may be private, quarantined or closed to applications',
  user: 'the account may be suspended, or hide its posts',
  post: 'its forum may be private or quarantined',
  'look-up': 'the application may lack the right to do so',
};

/** The error for a subject that does not exist; `said` is appended to the message. */
export function notFound(subject: Subject, said = ''): PlatformError {
  const why = subject.kind === 'user' ? ' (it never existed, was deleted, or is suspended)' : '';
  return new PlatformError(
    'target_not_found',
    subject.kind === 'look-up'
      ? `Reddit does not know ${subject.name}${said}`
      : `There is no ${describeSubject(subject)} on Reddit${why}${said}`,
  );
}

/** The error that a redirect stands for; null when it only leads to another address of the same subject. */
export function redirectRefusal(subject: Subject, location: URL): PlatformError | null {
  const path = location.pathname.toLowerCase();
  if (/\/(?:subreddits\/search|search)(?:\.json)?\/?$/.test(path)) return notFound(subject);
  if (/\/(?:api\/)?quarantine(?:_optin)?(?:\.json)?\/?$/.test(path))
    return refusal(subject, 403, { reason: 'quarantined' });
  if (/\/(?:over18|gated)(?:\.json)?\/?$/.test(path)) return refusal(subject, 403, { reason: 'gated' });
  return /\/login(?:\.json)?\/?$/.test(path) ? refusal(subject, 403, null) : null;
}

/** The platform's explanation in parentheses, if it says more than the name of the status. */
function quote(body: WireObject | null): string {
  const words =
    asText(body?.quarantine_message) ??
    asText(body?.interstitial_warning_message) ??
    asText(body?.explanation) ??
    asText(body?.message);
  if (words === null || /^(?:forbidden|not found|bad request|unauthorized)$/i.test(words)) return '';
  const said = storableText(unescaped(words), 1_000)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return ` (it says: ${beginningOf(said, 200)})`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Retry policy for requests to Reddit. */
export const REDDIT_RETRIES: RetryPolicy = {
  rules: {
    network: { retries: 8, baseMs: 250, capMs: 30_000, failsAs: 'unavailable' },
    server: { retries: 8, baseMs: 250, capMs: 30_000, failsAs: 'unavailable' },
    unreadable: { retries: 8, baseMs: 250, capMs: 15_000, failsAs: 'bad_answer' },
    rate_limited: { retries: 8, baseMs: 500, capMs: 30_000, failsAs: 'rate_limited' },
    blocked: { retries: 4, baseMs: 1_000, capMs: 5_000, failsAs: 'blocked' },
    unauthorized: { retries: 4, baseMs: 0, capMs: 0, failsAs: 'credentials_refused' },
  },
  source: 'Reddit',
  remedies: {
    rate_limited: 'Lower PLATFORM_REQUESTS_PER_MINUTE, or look for other programs that use this client id',
    blocked: 'Check PLATFORM_USER_AGENT, the OAuth application and the IP address of this service',
    unauthorized: 'Check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET',
  },
};
