import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ProblemDto } from './problem.dto.js';
import { PROBLEM_STATUS, type ProblemCode } from './problem.js';

/** What every guarded operation can answer. */
const EVERYWHERE: ProblemCode[] = [
  'validation_failed',
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'insufficient_scope',
  'workspace_mismatch',
  'rate_limited',
  'unavailable',
];

/** Documents the refusals of an operation: those every operation has, and its own. */
export function ApiProblems(...own: ProblemCode[]): MethodDecorator & ClassDecorator {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of [...EVERYWHERE, ...own]) {
    const status = PROBLEM_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return applyDecorators(
    ApiExtraModels(ProblemDto),
    ...[...byStatus].map(([status, codes]) =>
      ApiResponse({
        status,
        description: codes.map((code) => `\`${code}\``).join(', '),
        content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
        ...(status === 429 || status === 503
          ? { headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } } }
          : {}),
      }),
    ),
  );
}
