import type { OpenAPIObject } from '@nestjs/swagger';
import { operationId } from '../http/request/operation-id.js';
import { applyConventions, SECTIONS } from './conventions.js';
import { EVENTS } from '../messages/outbox/event-types.js';
import type { Operation } from './operations.js';
import { contractTexts } from './write.js';

const WORKSPACE_PATH = '/api/v1/workspaces/{workspace_id}';

/** Applies the conventions to a document with one operation; returns that operation. */
function completed(
  method: 'get' | 'post' | 'delete',
  path: string,
  operation: Partial<Operation>,
): Operation {
  const document: OpenAPIObject = {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    tags: SECTIONS,
    paths: { [path]: { [method]: { operationId: 'getThing', tags: ['Jobs'], responses: {}, ...operation } } },
  };
  return applyConventions(document).paths[path]![method] as Operation;
}

const codesOf = (operation: Operation, status: string) =>
  [...(operation.responses[status] as { description: string }).description.matchAll(/`(\w+)`/g)].map(
    ([, code]) => code,
  );

describe('contract conventions', () => {
  it('document the problems that follow from path, method and parameters', () => {
    const get = completed('get', `${WORKSPACE_PATH}/jobs/{job_id}`, {});
    expect(codesOf(get, '401')).toEqual([
      'missing_api_key',
      'invalid_api_key',
      'revoked_api_key',
      'expired_api_key',
      'invalid_session',
    ]);
    expect(codesOf(get, '404')).toEqual(['not_found']);
    expect(get.responses).not.toHaveProperty('409');
    const post = completed('post', `${WORKSPACE_PATH}/jobs`, {
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    });
    expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(['409', '413', '415', '422']));
    expect(post.responses).not.toHaveProperty('404');
  });

  it('document the problems that an operation names', () => {
    const operation = completed('delete', `${WORKSPACE_PATH}/jobs/{job_id}`, {
      'x-problems': ['job_not_cancellable', 'not_found'],
    });
    expect(codesOf(operation, '409')).toEqual(['job_not_cancellable']);
    expect(codesOf(operation, '404')).toEqual(['not_found']);
    expect(operation).not.toHaveProperty('x-problems');
  });

  it('give each problem an example, and a Retry-After header where retrying helps', () => {
    const { responses } = completed('get', `${WORKSPACE_PATH}/jobs`, {});
    const limited = responses['429'] as {
      headers: Record<string, object>;
      content: Record<string, { examples: Record<string, { value: { code: string } }> }>;
    };
    expect(limited.headers).toHaveProperty('Retry-After');
    expect(limited.content['application/problem+json']!.examples.rate_limited!.value.code).toBe(
      'rate_limited',
    );
    expect((responses['401'] as { headers: object }).headers).not.toHaveProperty('Retry-After');
  });

  it('document the scope, the path parameters and the idempotency key', () => {
    const get = completed('get', `${WORKSPACE_PATH}/jobs/{job_id}`, {});
    expect(get['x-required-scope']).toBe('read');
    expect(get.parameters).toMatchObject([
      { name: 'workspace_id', in: 'path', required: true },
      { name: 'job_id', in: 'path', schema: { pattern: expect.stringMatching(/^\^\(job_\)\?/) as string } },
    ]);
    const post = completed('post', `${WORKSPACE_PATH}/jobs`, {});
    expect(post['x-required-scope']).toBe('write');
    expect(post.parameters).toContainEqual(
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header' }),
    );
  });

  it('do not require a key outside the API', () => {
    const operation = completed('get', '/health/live', {});
    expect(operation.security).toEqual([]);
    expect(operation).not.toHaveProperty('x-required-scope');
    expect(Object.keys(operation.responses)).toEqual(['400']);
  });

  it('document integers as integers, and forbid unknown request fields', () => {
    const document = applyConventions({
      openapi: '3.1.0',
      info: { title: 'Test', version: '1' },
      paths: {
        [`${WORKSPACE_PATH}/jobs`]: {
          post: {
            operationId: 'createJob',
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/B' } } } },
            responses: {},
          },
        },
      },
      components: {
        schemas: {
          B: {
            type: 'object',
            properties: { limit: { type: 'number' }, sentiment_score: { type: 'number' } },
          },
          A: { type: 'object', properties: {} },
        },
      },
    });
    const schemas = document.components!.schemas!;
    expect(Object.keys(schemas)).toEqual(['A', 'B']);
    expect(schemas.B).toMatchObject({
      additionalProperties: false,
      properties: { limit: { type: 'integer' }, sentiment_score: { type: 'number' } },
    });
    expect(schemas.A).not.toHaveProperty('additionalProperties');
  });
});

describe('operation ids', () => {
  it.each([
    ['JobsController', 'list', 'listJobs'],
    ['JobsController', 'cancel', 'cancelJob'],
    ['PostsController', 'listForums', 'listForums'],
    ['MediaController', 'get', 'getPostMedia'],
  ])('%s.%s is %s', (controller, method, id) => expect(operationId(controller, method)).toBe(id));
});

describe('the contract', () => {
  it('has a short summary, a description and one declared tag for every operation', async () => {
    const document = JSON.parse((await contractTexts()).openApi) as OpenAPIObject;
    const declared = document.tags!.map(({ name }) => name);
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as Operation[]);
    const flawed = operations.filter(
      ({ summary = '', description = '', tags = [] }) =>
        summary === '' ||
        summary.split(' ').length > 6 ||
        description === '' ||
        tags.length !== 1 ||
        !declared.includes(tags[0]!),
    );
    expect(flawed.map((operation) => operation.operationId)).toEqual([]);
    expect(new Set(declared).size).toBe(declared.length);
  });

  it('of events names every event in both forms, and those of streams', async () => {
    const { channels, components } = JSON.parse((await contractTexts()).asyncApi) as {
      channels: Record<string, { address: string | null; messages: object }>;
      components: { schemas: object };
    };
    const types = Object.entries(EVENTS).flatMap(([type, { to }]) => (to === 'channel' ? [] : [type]));
    const messages = Object.fromEntries(
      Object.entries(channels).map(([name, channel]) => [name, Object.keys(channel.messages).sort()]),
    );
    expect(messages).toEqual({
      webhooks: types.flatMap((type) => [type, `${type}.cloudevent`]).sort(),
      followJob: ['end', 'heartbeat', 'progress'],
      followSearch: ['comment', 'heartbeat', 'post'],
    });
    const referred = JSON.stringify({ channels, components }).matchAll(/#\/components\/schemas\/(\w+)/g);
    expect([...new Set([...referred].map(([, name]) => name))].sort()).toEqual(
      Object.keys(components.schemas),
    );
  });
});
