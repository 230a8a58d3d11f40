import { type ComparedContract, contractChanges } from './contract-changes.js';
import type { Schema } from './schema-changes.js';

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Schema) => ({ 'application/json': { schema } });

/** A contract with one operation, whose path and parts the cases change. */
function contract() {
  const Sent: Schema & { properties: Record<string, Schema> } = {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 50, minLength: 1 },
      kind: { type: 'string', enum: ['a', 'b'] },
      size: { type: ['integer', 'null'], maximum: 10, minimum: 1 },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
      parent: { anyOf: [ref('Sent'), { type: 'null' }] },
    },
    required: ['name'],
  };
  const Received: Schema & { properties: Record<string, Schema>; required: string[] } = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      kind: { type: 'string', enum: ['a', 'b'] },
      score: { type: 'number' },
      at: { type: 'string', format: 'date-time' },
      owner: { allOf: [ref('Owner')] },
      counts: { type: 'object', additionalProperties: { type: 'integer' } },
      answers: { type: 'array', items: ref('Received') },
      note: { type: ['string', 'null'] },
    },
    required: ['id', 'kind', 'score', 'at', 'owner'],
  };
  const Owner = { type: 'object', properties: { name: { type: 'string' } } as Record<string, Schema> };
  const query = { name: 'q', in: 'query', required: false, schema: { type: 'string' } as Schema };
  const post = {
    operationId: 'createThing',
    'x-required-scope': 'read',
    'x-events': { progress: ref('Received') } as Record<string, Schema>,
    parameters: [query],
    requestBody: { required: false, content: json(ref('Sent')) as Record<string, { schema: Schema }> },
    responses: {
      200: {
        content: { ...json(ref('Received')), 'text/csv': {} } as object,
        headers: { ETag: {} } as object,
      },
      400: { $ref: '#/components/responses/Problem' },
    } as Record<string, object>,
  };
  const event = { post: { requestBody: { content: json(ref('Received')) } } };
  return {
    paths: { '/things': { post } as Record<string, typeof post> },
    webhooks: { 'thing.made': event } as Record<string, typeof event>,
    components: { schemas: { Sent, Received, Owner } },
  };
}
type Changed = ReturnType<typeof contract>;

function changesAfter(
  change: (now: Changed, post: Changed['paths']['/things']['post'] & object) => unknown,
): string[] {
  const now = contract();
  change(now, now.paths['/things'].post!);
  return contractChanges(contract(), now);
}
const sent = (field: string, schema: Schema) => (now: Changed) =>
  (now.components.schemas.Sent.properties[field] = schema);
const received = (field: string, schema: Schema) => (now: Changed) =>
  (now.components.schemas.Received.properties[field] = schema);

describe('contractChanges', () => {
  it.each<[string, Parameters<typeof changesAfter>[0]]>([
    ['POST /things: is removed', (now) => delete now.paths['/things'].post],
    ['createThing: is named makeThing', (_, post) => (post.operationId = 'makeThing')],
    ['createThing: needs write', (_, post) => (post['x-required-scope'] = 'write')],
    ['createThing query q: is removed', (_, post) => (post.parameters = [])],
    ['createThing query q: is required now', (_, post) => (post.parameters[0]!.required = true)],
    ['createThing query q: has a narrower pattern', (_, post) => (post.parameters[0]!.schema.pattern = '^a')],
    ['createThing query q: has another default', (_, post) => (post.parameters[0]!.schema.default = 'a')],
    [
      'createThing query p: is required now',
      (_, post) => post.parameters.push({ ...post.parameters[0]!, name: 'p', required: true }),
    ],
    ['createThing body: is required now', (_, post) => (post.requestBody.required = true)],
    [
      'createThing body application/json: is removed',
      (_, post) => (post.requestBody.content = { 'text/csv': { schema: {} } }),
    ],
    ['createThing 200: is removed', (_, post) => delete post.responses[200]],
    ['createThing 400: is removed', (_, post) => delete post.responses[400]],
    [
      'createThing 200 ETag: is removed',
      (_, post) => (post.responses[200] = { ...post.responses[200], headers: {} }),
    ],
    [
      'createThing 200 text/csv: is removed',
      (_, post) => (post.responses[200] = { ...post.responses[200], content: json(ref('Received')) }),
    ],
    ['createThing progress: is removed', (_, post) => (post['x-events'] = {})],
    ['thing.made: is removed', (now) => (now.webhooks = {})],
    ['Sent.name: is removed', (now) => delete now.components.schemas.Sent.properties.name],
    ['Sent.kind: is required now', (now) => (now.components.schemas.Sent.required = ['name', 'kind'])],
    ['Sent.kind: no longer takes "b"', sent('kind', { type: 'string', enum: ['a'] })],
    ['Sent.name: no longer takes other values', sent('name', { type: 'string', enum: ['a'] })],
    ['Sent.name: has a narrower maxLength', sent('name', { type: 'string', maxLength: 49 })],
    ['Sent.name: has a narrower minLength', sent('name', { type: 'string', minLength: 2 })],
    ['Sent.name: has another format', sent('name', { type: 'string', format: 'uuid' })],
    ['Sent.size: has a narrower maximum', sent('size', { type: ['integer', 'null'], maximum: 9 })],
    ['Sent.size: has a narrower minimum', sent('size', { type: ['integer', 'null'], minimum: 2 })],
    ['Sent.size: no longer takes null', sent('size', { type: 'integer' })],
    ['Sent.parent: no longer takes null', sent('parent', ref('Sent'))],
    ['Sent.tags: has a narrower maxItems', sent('tags', { type: 'array', items: {}, maxItems: 2 })],
    ['Sent.tags[]: no longer takes string', sent('tags', { type: 'array', items: { type: 'integer' } })],
    ['Received.id: is removed', (now) => delete now.components.schemas.Received.properties.id],
    ['Received.id: is optional now', (now) => now.components.schemas.Received.required.shift()],
    ['Received.id: may be null', received('id', { type: ['string', 'null'] })],
    ['Received.id: may be other values', received('id', {})],
    ['Received.score: may be string', received('score', { type: 'string' })],
    ['Received.kind: may be "c"', received('kind', { type: 'string', enum: ['a', 'b', 'c'] })],
    ['Received.kind: may be other values', received('kind', { type: 'string' })],
    ['Received.at: has another format', received('at', { type: 'string' })],
    ['Received.owner: may be null', received('owner', { anyOf: [ref('Owner'), { type: 'null' }] })],
    ['Owner.name: is removed', (now) => delete now.components.schemas.Owner.properties.name],
    ['Received.counts.*: is removed', received('counts', { type: 'object' })],
    [
      'Received.counts.*: may be number',
      received('counts', { type: 'object', additionalProperties: { type: 'number' } }),
    ],
    ['Received.answers[]: may be string', received('answers', { type: 'array', items: { type: 'string' } })],
  ])('finds: %s', (sentence, change) => {
    expect(changesAfter(change)).toEqual([sentence]);
  });

  it.each<[string, Parameters<typeof changesAfter>[0]]>([
    ['nothing', () => undefined],
    ['an operation', (now) => (now.paths['/things'].get = now.paths['/things'].post!)],
    [
      'an operation without a scope',
      (_, post) => Object.assign(post, { 'x-required-scope': undefined, security: [] }),
    ],
    ['an optional parameter', (_, post) => post.parameters.push({ ...post.parameters[0]!, name: 'p' })],
    ['a refusal', (_, post) => (post.responses[409] = {})],
    ['an optional field of requests', sent('more', { type: 'string' })],
    ['values in requests', sent('kind', { type: 'string', enum: ['a', 'b', 'c'] })],
    ['room in requests', sent('name', { type: 'string', maxLength: 60 })],
    ['another type in requests', sent('size', { type: ['number', 'string', 'null'] })],
    ['null in requests', sent('name', { anyOf: [{ type: 'string' }, { type: 'null' }] })],
    ['a field of answers', received('more', { type: 'string' })],
    ['fewer values in answers', received('kind', { type: 'string', enum: ['a'] })],
    ['certainty in answers', received('note', { type: 'string' })],
    ['integers for numbers in answers', received('score', { type: 'integer' })],
    [
      'the same without a reference',
      received('owner', { type: 'object', properties: { name: { type: 'string' } } }),
    ],
  ])('lets a later contract have %s', (_what, change) => {
    expect(changesAfter(change)).toEqual([]);
  });

  it('lets fields whose values are documented as open get new ones', () => {
    const now = contract();
    received('kind', { type: 'string', enum: ['a', 'b', 'c'] })(now);
    expect(contractChanges(contract() as ComparedContract, now as ComparedContract, ['kind'])).toEqual([]);
    sent('kind', { type: 'string', enum: ['a'] })(now);
    expect(contractChanges(contract() as ComparedContract, now as ComparedContract, ['kind'])).toEqual([
      'Sent.kind: no longer takes "b"',
    ]);
  });
});
