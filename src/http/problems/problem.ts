import { STATUS_CODES } from 'node:http';
import { beginningOf } from '../../common/strings.js';

/** HTTP status of every problem code. Codes are stable: clients branch on them. */
export const PROBLEM_STATUS = {
  validation_failed: 400,
  invalid_cursor: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  revoked_api_key: 401,
  expired_api_key: 401,
  invalid_session: 401,
  missing_admin_token: 401,
  invalid_admin_token: 401,
  insufficient_scope: 403,
  workspace_mismatch: 403,
  workspace_suspended: 403,
  cross_origin_request: 403,
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  job_not_cancellable: 409,
  job_not_retryable: 409,
  idempotency_conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_key_reused: 422,
  rate_limited: 429,
  too_many_concurrent_requests: 429,
  request_head_too_large: 431,
  internal_error: 500,
  unavailable: 503,
  search_timeout: 503,
} as const;

/** The `code` of a problem document. */
export type ProblemCode = keyof typeof PROBLEM_STATUS;

/** Maximum number of field errors in one problem document. */
export const MAX_FIELD_ERRORS = 20;
const MAX_NAME_LENGTH = 100;

/** One invalid field. */
export interface FieldError {
  /** Path of the field, e.g. `config.limit` or `keywords.0`; `body` for the body as a whole. */
  field: string;
  message: string;
}

/** Fields of a problem besides code and detail. */
export interface ProblemExtra {
  errors?: FieldError[];
  headers?: Record<string, string>;
  /** The exceeded quota, as members of the document. */
  members?: { quota: string; limit: number; used: number };
  cause?: unknown;
}

/** An error that is answered with `application/problem+json`. Services throw it; one filter writes the response. */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly extra: ProblemExtra = {},
  ) {
    super(detail, { cause: extra.cause });
    this.status = PROBLEM_STATUS[code];
    this.title = STATUS_CODES[this.status] ?? 'Error';
  }

  /** 400 `validation_failed` with the first {@link MAX_FIELD_ERRORS} of the errors. */
  static validation(errors: readonly FieldError[]): Problem {
    const listed = errors.slice(0, MAX_FIELD_ERRORS);
    const fields = [...new Set(listed.map((error) => error.field))].join(', ');
    return new Problem('validation_failed', `These fields are not valid: ${fields}`, { errors: listed });
  }

  /** 404 `not_found` for a resource, e.g. `job`, that does not exist in the workspace. */
  static notFound(thing: string): Problem {
    return new Problem('not_found', `No such ${thing} in this workspace`);
  }

  /** 404 `not_found` for a path without an operation. */
  static noRoute(method: string, path: string): Problem {
    return new Problem('not_found', `No route matches ${method} ${path}. See /docs.`);
  }

  /** 404 `not_found` for a workspace that an operator named. */
  static noWorkspace(): Problem {
    return new Problem('not_found', 'No such workspace');
  }
}

/** A name sent by a client, truncated to 100 characters for use in a message. */
export function abbreviate(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${beginningOf(name, MAX_NAME_LENGTH)}…` : name;
}
