import type { OpenAPIObject } from '@nestjs/swagger';
import { ID_PREFIXES } from '../common/ids.js';
import { API_PREFIX } from '../http/paths.js';
import { PUBLIC_EXTENSION } from '../http/public.decorator.js';
import { SCOPE_EXTENSION } from '../modules/api-keys/scope.decorator.js';
import { EXAMPLES } from './examples.js';
import { METHODS, type Operation, operationsOf } from './operations.js';
import { documentProblems } from './problems.js';
import { tidySchemas } from './schemas.js';
import { TAGS } from './tags.js';

type Parameter = Extract<NonNullable<Operation['parameters']>[number], { name: string }>;

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const KIND_OF_PARAMETER: Record<string, keyof typeof ID_PREFIXES> = {
  workspace_id: 'workspace',
  key_id: 'apiKey',
  schedule_id: 'schedule',
  job_id: 'job',
  alert_id: 'alert',
  webhook_id: 'webhook',
};

/** Writes into the contract what holds for all operations alike, so that none has to repeat it. */
export function applyConventions(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths))
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      if (operation !== undefined) describeOperation(operation, method, path);
    }
  document.components = {
    ...document.components,
    headers: { ...document.components?.headers, ...HEADERS },
  };
  const names = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags ?? []));
  document.tags = [...new Map(document.tags?.map((tag) => [tag.name, tag])).values()].filter(({ name }) =>
    names.has(name),
  );
  return tidySchemas(document);
}

function describeOperation(operation: Operation, method: string, path: string): void {
  const isPublic = operation[PUBLIC_EXTENSION] === true || !path.startsWith(`/${API_PREFIX}/`);
  delete operation[PUBLIC_EXTENSION];
  operation.tags = operation.tags?.map((tag) => TAGS[tag]?.name ?? tag);
  operation.summary = (operation.summary ?? words(operation.operationId ?? '')).replace(/\.$/, '');
  operation.parameters = [...parametersOf(operation, method, path, isPublic)];
  if (isPublic) operation.security = [];
  else operation[SCOPE_EXTENSION] ??= method === 'get' ? 'read' : 'write';
  documentProblems(operation, { method, path, isPublic });
  for (const [status, response] of Object.entries(operation.responses))
    if (response !== undefined && !('$ref' in response)) {
      response.description ||= status === '201' ? 'Created' : 'OK';
      response.headers = {
        ...response.headers,
        'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
        ...(isPublic || (Number(status) >= 400 && status !== '429') ? {} : RATE_LIMIT_HEADERS),
      };
      const examples = status.startsWith('2') ? EXAMPLES[operation.operationId ?? ''] : undefined;
      const json = response.content?.['application/json'];
      if (json !== undefined && examples?.response !== undefined) json.example = examples.response;
      for (const [type, example] of Object.entries(examples?.files ?? {}))
        if (response.content?.[type] !== undefined) response.content[type].example = example;
    }
  const body = operation.requestBody;
  if (body !== undefined && 'content' in body) {
    const json = body.content['application/json'];
    const example = EXAMPLES[operation.operationId ?? '']?.request;
    if (json !== undefined && example !== undefined) json.example = example;
  }
}

function* parametersOf(
  operation: Operation,
  method: string,
  path: string,
  isPublic: boolean,
): Generator<Parameter> {
  const own = (operation.parameters ?? []) as Parameter[];
  for (const [, name] of path.matchAll(/\{(\w+)\}/g))
    yield pathParameter(
      name!,
      own.find((parameter) => parameter.in === 'path' && parameter.name === name),
    );
  yield* own.filter((parameter) => parameter.in !== 'path');
  if (method === 'post' && !isPublic)
    yield {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'A text of your choice, new for each thing to be done. Repeats get the first answer for 24 hours.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
      example: '9b2f6f0e-create-job-1',
    };
}

function pathParameter(name: string, own: Parameter | undefined): Parameter {
  const kind = KIND_OF_PARAMETER[name];
  if (kind === undefined) return { required: true, schema: { type: 'string' }, ...own, name, in: 'path' };
  const thing = kind === 'apiKey' ? 'API key' : kind;
  return {
    name,
    in: 'path',
    required: true,
    description: `The ${thing}'s uuid, bare or as responses show it (\`${ID_PREFIXES[kind]}_…\`)`,
    schema: { type: 'string', pattern: `^(${ID_PREFIXES[kind]}_)?${UUID}$` },
    example: '0b9d6a52-7a3e-4c1b-9a57-5d0f3f7f8e21',
  };
}

/** `cancelJob` as "Cancel job". */
function words(name: string): string {
  const text = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' as const } });

const HEADERS = {
  'X-Request-Id': {
    description: "Names the request in the service's log; a sane one that was sent is kept",
    schema: { type: 'string' as const },
  },
  'RateLimit-Limit': integerHeader(
    'Requests that the API key has in a minute; absent when keys are not limited',
  ),
  'RateLimit-Remaining': integerHeader('Requests left in this minute'),
  'RateLimit-Reset': integerHeader('Seconds until all of them are there again'),
  'Retry-After': integerHeader('Seconds to wait before another attempt'),
};

const RATE_LIMIT_HEADERS = Object.fromEntries(
  ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
);
