import { STATUS_CODES } from 'node:http';

/** A stable, machine-readable name for every refusal this service gives. */
export const PROBLEM_STATUS = {
  validation_failed: 400,
  invalid_cursor: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  revoked_api_key: 401,
  insufficient_scope: 403,
  workspace_mismatch: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  job_not_cancellable: 409,
  idempotency_conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  request_head_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const;
export type ProblemCode = keyof typeof PROBLEM_STATUS;

/** A refusal names at most so many fields; a body can hold thousands. */
const MAX_FIELDS = 100;

export interface FieldError {
  /** Path of the field, e.g. `config.limit` or `keywords.0`; `body` for the body as a whole. */
  field: string;
  message: string;
}

/** A refusal to be told to the caller as `application/problem+json`. Thrown anywhere, written by one filter. */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly extra: { errors?: FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: extra.cause });
    this.status = PROBLEM_STATUS[code];
    this.title = STATUS_CODES[this.status] ?? 'Error';
  }

  static validation(errors: FieldError[]): Problem {
    const told = errors.slice(0, MAX_FIELDS);
    const fields = [...new Set(told.map((error) => error.field))].join(', ');
    return new Problem('validation_failed', `These fields are not valid: ${fields}`, { errors: told });
  }

  static notFound(what: string): Problem {
    return new Problem('not_found', `No such ${what} in this workspace`);
  }
}
