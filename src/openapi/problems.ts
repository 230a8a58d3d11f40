import { STATUS_CODES } from 'node:http';
import { getSchemaPath } from '@nestjs/swagger';
import { ProblemDto } from '../http/problem.dto.js';
import { PROBLEM_STATUS, type ProblemCode } from '../http/problem.js';
import type { Operation } from './operations.js';

interface Place {
  method: string;
  path: string;
  isPublic: boolean;
}

const WHERE_KEYS_ARE_NEEDED: ProblemCode[] = [
  'validation_failed',
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'insufficient_scope',
  'workspace_mismatch',
  'rate_limited',
  'unavailable',
];

const WITH_RETRY_AFTER = new Set<ProblemCode>(['rate_limited', 'unavailable', 'idempotency_conflict']);

/** Documents every refusal of an operation: those that its shape implies, and those it names itself. */
export function documentProblems(operation: Operation, place: Place): void {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...impliedBy(operation, place), ...namedBy(operation)])) {
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

function impliedBy(operation: Operation, { method, path, isPublic }: Place): ProblemCode[] {
  if (isPublic) return [];
  const parameters = (operation.parameters ?? []) as { name: string }[];
  return [
    ...WHERE_KEYS_ARE_NEEDED,
    ...(parameters.some(({ name }) => name === 'cursor') ? (['invalid_cursor'] as const) : []),
    ...(path.replace('{workspace_id}', '').includes('{') ? (['not_found'] as const) : []),
    ...(operation.requestBody ? (['body_too_large', 'unsupported_media_type'] as const) : []),
    ...(method === 'post' ? (['idempotency_conflict', 'idempotency_key_reused'] as const) : []),
  ];
}

/** What `ApiProblems` wrote. */
function namedBy(operation: Operation): ProblemCode[] {
  return Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, response]) => [
      ...((response as { description?: string }).description ?? '').matchAll(/`(\w+)`/g),
    ])
    .map(([, code]) => code as ProblemCode)
    .filter((code) => code in PROBLEM_STATUS);
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
    ...(code === 'validation_failed' && {
      errors: [{ field: 'limit', message: 'limit must not be less than 1' }],
    }),
  };
}

const DETAILS: Record<ProblemCode, string> = {
  validation_failed: 'These fields are not valid: limit',
  invalid_cursor: 'The cursor is damaged or belongs to other filters; start again without one',
  missing_api_key: 'An API key is needed in the header X-API-Key',
  invalid_api_key: 'This API key is not known',
  revoked_api_key: 'This API key has been revoked',
  insufficient_scope: 'This operation needs the scope "write"',
  workspace_mismatch: 'This API key belongs to another workspace',
  not_found: 'No such job in this workspace',
  method_not_allowed: 'This address answers GET, HEAD, OPTIONS',
  request_timeout: 'The request did not arrive in time',
  job_not_cancellable: 'The job is completed; only pending and running jobs can be cancelled',
  idempotency_conflict: 'The first request with this Idempotency-Key is still at work',
  body_too_large: 'The request body is too large',
  unsupported_media_type: 'The body must be JSON, with Content-Type: application/json',
  idempotency_key_reused: 'This Idempotency-Key was used with another request',
  rate_limited: 'This API key has made its 600 requests of this minute',
  request_head_too_large: 'Address and headers together are too large',
  internal_error: 'Something went wrong on our side',
  unavailable: 'The database or the queue cannot be reached; please try again shortly',
};
