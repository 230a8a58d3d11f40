import { ApiError } from '../errors.js';
import { UsageError } from './command.js';

/** Exit codes of the program. */
export const EXIT_CODES = { success: 0, failed: 1, usage: 2, credentials: 3, unreachable: 4 } as const;

/** No credentials are stored or set, or those that are cannot be used. */
export class CredentialsError extends Error {
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

/** A failure as it is printed. */
export interface Failure {
  /** What happened, on one line. */
  error: string;
  /** The service's code of a refusal. */
  code?: string;
  /** Of the refused request, for the operator. */
  request_id?: string;
  /** What to do. */
  remedy?: string;
  exitCode: number;
}

const SIGN_IN = 'Sign in with an API key: wss login --url ADDRESS';

/** What to do about a refusal, by its code. */
const REMEDIES: Record<string, string> = {
  missing_api_key: SIGN_IN,
  invalid_api_key: SIGN_IN,
  revoked_api_key: SIGN_IN,
  expired_api_key: SIGN_IN,
  insufficient_scope: 'Sign in with a key that has this scope: wss login --url ADDRESS',
  workspace_suspended: 'Ask the operator of the service.',
  quota_exceeded: 'Delete what is no longer needed, or ask the operator for a higher quota.',
  invalid_cursor: 'Start the list from its beginning.',
  search_timeout: 'Narrow the search with filters such as --forum or --after.',
  internal_error: 'Report the request id to the operator.',
};

/** A thrown value as a line, a remedy and an exit code. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CredentialsError)
    return { error: error.message, remedy: error.remedy, exitCode: EXIT_CODES.credentials };
  if (error instanceof ApiError) return describeRefusal(error);
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  if (error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS'))
    return { error: oneLine(message!), exitCode: EXIT_CODES.usage };
  const cause = connectionFailure(error);
  if (cause !== null)
    return {
      error: `The service did not answer: ${cause}`,
      remedy: 'Check the address, and that the service runs. wss login --url ADDRESS sets another one.',
      exitCode: EXIT_CODES.unreachable,
    };
  return { error: oneLine(message ?? String(error)), exitCode: EXIT_CODES.failed };
}

function describeRefusal({ status, code, message, problem, retryAfterSeconds }: ApiError): Failure {
  const fields = problem?.errors?.map((one) => one.message) ?? [];
  const remedy = retryAfterSeconds === null ? REMEDIES[code] : `Try again in ${retryAfterSeconds} s.`;
  return {
    error: oneLine(fields.length === 0 ? message : `${code}: ${fields.join('; ')}`),
    code,
    ...(problem !== null && { request_id: problem.request_id }),
    ...(remedy !== undefined && { remedy }),
    exitCode: status === 401 ? EXIT_CODES.credentials : EXIT_CODES.failed,
  };
}

/** Why a request got no answer; null for another error. */
function connectionFailure(error: unknown): string | null {
  const { name, message, cause } = (error ?? {}) as { name?: string; message?: string; cause?: unknown };
  if (name !== 'TypeError' || message !== 'fetch failed') return null;
  const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? oneLine(reason ?? 'no connection');
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
