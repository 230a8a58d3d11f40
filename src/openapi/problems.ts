import { STATUS_CODES } from 'node:http';
import { getSchemaPath } from '@nestjs/swagger';
import { ProblemDto } from '../http/problems/problem.dto.js';
import { PROBLEMS_EXTENSION } from '../http/problems/problem.openapi.js';
import { PROBLEM_STATUS, type ProblemCode } from '../http/problems/problem.js';
import type { Operation } from './operations.js';

interface Place {
  method: string;
  path: string;
  isPublic: boolean;
  /** Whether the path is under `/admin`: for operators, with the admin token. */
  isAdmin: boolean;
}

/** Codes that any operation with an API key can return. */
const WITH_API_KEY: ProblemCode[] = [
  'validation_failed',
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'expired_api_key',
  'invalid_session',
  'insufficient_scope',
  'workspace_mismatch',
  'workspace_suspended',
  'rate_limited',
  'unavailable',
];

/** Codes that any operation with the admin token can return; also 404 when the service has no admin token. */
const WITH_ADMIN_TOKEN: ProblemCode[] = [
  'validation_failed',
  'missing_admin_token',
  'invalid_admin_token',
  'not_found',
  'rate_limited',
  'unavailable',
];

const WITH_RETRY_AFTER = new Set<ProblemCode>([
  'rate_limited',
  'too_many_concurrent_requests',
  'unavailable',
  'search_timeout',
  'idempotency_conflict',
]);

/**
 * Documents an operation's problems by status: the codes that follow from its path, method and parameters, and those
 * listed with `ApiProblems`, whose extension is then removed.
 */
export function documentProblems(operation: Operation, place: Place): void {
  const named = (operation[PROBLEMS_EXTENSION] ?? []) as ProblemCode[];
  delete operation[PROBLEMS_EXTENSION];
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...impliedBy(operation, place), ...named])) {
    const status = PROBLEM_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, codes] of byStatus) {
    operation.responses[String(status)] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      content: {
        'application/problem+json': {
          schema: { $ref: getSchemaPath(ProblemDto) },
          examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, place) }])),
        },
      },
      ...(codes.some((code) => WITH_RETRY_AFTER.has(code)) && {
        headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
      }),
    };
  }
}

function impliedBy(operation: Operation, { method, path, isPublic, isAdmin }: Place): ProblemCode[] {
  // Every operation rejects a query string that is not validly URL-encoded.
  if (isPublic) return ['validation_failed'];
  const parameters = (operation.parameters ?? []) as { name: string }[];
  return [
    ...(isAdmin
      ? WITH_ADMIN_TOKEN
      : WITH_API_KEY.filter((code) => code !== 'workspace_mismatch' || path.includes('{workspace_id}'))),
    ...(parameters.some(({ name }) => name === 'cursor') ? (['invalid_cursor'] as const) : []),
    ...(path.replace('{workspace_id}', '').includes('{') ? (['not_found'] as const) : []),
    ...(method === 'get' ? [] : (['cross_origin_request'] as const)),
    ...(operation.requestBody ? (['body_too_large', 'unsupported_media_type'] as const) : []),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key')
      ? (['quota_exceeded', 'idempotency_conflict', 'idempotency_key_reused'] as const)
      : []),
  ];
}

function exampleOf(code: ProblemCode, { path }: Place): ProblemDto {
  const status = PROBLEM_STATUS[code];
  return {
    type: `urn:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: DETAILS[code],
    instance: path,
    code,
    request_id: '5f0c7a4e-8a40-4f0c-9f4e-2f1d3c5b6a79',
    ...(code === 'quota_exceeded' && { quota: 'webhooks', limit: 100, used: 100 }),
    ...(code === 'too_many_concurrent_requests' && { quota: 'event_streams', limit: 20, used: 20 }),
    ...(code === 'validation_failed' && {
      errors: [{ field: 'limit', message: 'limit must not be less than 1' }],
    }),
  };
}

const DETAILS: Record<ProblemCode, string> = {
  validation_failed: 'These fields are not valid: limit',
  invalid_cursor:
    'The cursor is invalid or belongs to a request with other filters. Start again without a cursor.',
  missing_api_key: 'Send an API key in the X-API-Key header.',
  invalid_api_key: 'Unknown API key.',
  revoked_api_key: 'This API key has been revoked.',
  expired_api_key: 'This API key has expired.',
  invalid_session: 'The session has ended. Sign in again.',
  missing_admin_token: 'Send the admin token in the Authorization header: Bearer TOKEN.',
  invalid_admin_token: 'Unknown admin token.',
  insufficient_scope: 'This operation needs an API key with the "write" scope.',
  workspace_mismatch: 'This API key belongs to another workspace.',
  cross_origin_request: 'Requests that change data with a session cookie need an Origin header of this host.',
  workspace_suspended: 'This workspace is suspended. Ask the operator to resume it.',
  quota_exceeded:
    'Quota webhooks exceeded: limit 100, used 100, requested 1. Delete what you no longer need, or ask the operator for a higher limit.',
  too_many_concurrent_requests:
    'Quota event_streams exceeded: limit 20, used 20. Wait until a running request ends, then retry.',
  not_found: 'No such job in this workspace.',
  method_not_allowed: 'PUT is not allowed at this path. Allowed: GET, HEAD, OPTIONS.',
  request_timeout: 'The request did not arrive completely in time. Send it again.',
  job_not_cancellable: 'The job is completed. Only pending and running jobs can be cancelled.',
  job_not_retryable: 'The job is running. Only jobs that have ended can be retried.',
  idempotency_conflict: 'The first request with this Idempotency-Key is still being processed. Retry later.',
  body_too_large: 'The request body exceeds 256 KiB.',
  unsupported_media_type: 'Send the body as JSON with Content-Type: application/json.',
  range_not_satisfiable: 'The file has 1234 bytes. Request a part of them.',
  idempotency_key_reused: 'This Idempotency-Key was used with a different request. Send a new key.',
  rate_limited:
    'This API key has reached its limit of 600 requests per minute. Wait the number of seconds in Retry-After.',
  request_head_too_large: 'The URL and headers exceed 16 KiB. Shorten them.',
  internal_error: 'Internal error. Report the request_id to the operator.',
  search_timeout:
    'The search was stopped after 5000 ms. Narrow it, for example with forum, author or fewer words.',
  unavailable: 'The database or queue is temporarily unavailable. Try again later.',
};
