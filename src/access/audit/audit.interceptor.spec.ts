import type { CallHandler, ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { lastValueFrom, of, throwError } from 'rxjs';
import { AUDITED, READ_ONLY } from '../../http/changes/change.decorators.js';
import { Problem } from '../../http/problems/problem.js';
import { ClientGoneError } from '../../http/request/request-scope.js';
import { AuditInterceptor } from './audit.interceptor.js';
import type { AuditService, Change } from './audit.service.js';

const WORKSPACE = '0b4c2d6e-1f2a-4b3c-8d4e-5f6a7b8c9dab';
const OTHER = '1b4c2d6e-1f2a-4b3c-8d4e-5f6a7b8c9dab';
const CALLER = { workspaceId: WORKSPACE, keyId: 'k', keyPrefix: 'rp_1234' };

interface Audited {
  change?: Change;
  outcome?: object;
  isDiscarded: boolean;
}

/** What is recorded of a request that is answered with `body`, or that fails with `error`. */
async function audit(
  request: object,
  {
    body = null,
    error = null,
    scope,
    isAudited = false,
    isReadOnly = false,
  }: {
    body?: unknown;
    error?: Error | null;
    scope?: string;
    isAudited?: boolean;
    isReadOnly?: boolean;
  } = {},
): Promise<Audited> {
  const seen: Audited = { isDiscarded: false };
  const service = {
    begin: (change: Change) => Promise.resolve((seen.change = change) && 'id'),
    finish: (_id: string, outcome: object) => Promise.resolve(void (seen.outcome = outcome)),
    discard: () => Promise.resolve(void (seen.isDiscarded = true)),
  } as unknown as AuditService;
  const given = { method: 'POST', params: {}, socket: { remoteAddress: '192.0.2.1' }, id: 'r', ...request };
  const http = { getRequest: () => given, getResponse: () => ({ statusCode: 201 }) };
  class JobsController {}
  const context = {
    switchToHttp: () => http,
    getClass: () => JobsController,
    getHandler: () => ({ name: 'create' }),
  } as unknown as ExecutionContext;
  const reflector = {
    get: (key: string) => key === READ_ONLY && isReadOnly,
    getAllAndOverride: (key: string) => (key === AUDITED ? isAudited : scope),
  } as unknown as Reflector;
  const next: CallHandler = { handle: () => (error === null ? of(body) : throwError(() => error)) };
  const answer = await new AuditInterceptor(service, reflector).intercept(context, next);
  await lastValueFrom(answer).catch((thrown: unknown) => expect(thrown).toBe(error));
  return seen;
}

describe('the audit entry of a request', () => {
  it('is not made for a preview, nor for reading the comments of one post', async () => {
    expect((await audit({ caller: CALLER }, { isReadOnly: true })).change).toBe(undefined);
    const reading = (query: object) => audit({ caller: CALLER, method: 'GET', query }, { isAudited: true });
    expect((await reading({ post_id: 't3_1', format: 'ndjson' })).change).toBe(undefined);
    expect((await reading({ format: 'ndjson' })).change?.fields).toEqual(['format']);
  });

  it('says who changed what, and from where', async () => {
    const { change } = await audit({ caller: CALLER, params: { workspace_id: OTHER, job_id: 'job_1' } });
    expect(change).toEqual({
      actor: 'api_key',
      actorName: 'rp_1234',
      ip: '192.0.2.1',
      action: 'createJob',
      targetWorkspaceId: WORKSPACE,
      resource: { job_id: 'job_1' },
      fields: [],
      requestId: 'r',
    });
    const admin = await audit({ isAdmin: true, params: { workspace_id: `ws_${OTHER}` } });
    expect(admin.change).toMatchObject({ actor: 'admin', actorName: null, targetWorkspaceId: OTHER });
  });

  it('contains up to fifty names of fields, and nothing that is no name', async () => {
    const names = Array.from({ length: 51 }, (_, number) => `f${number}`);
    const body = Object.fromEntries(['a b', 'x'.repeat(101), ...names].map((name) => [name, 'secret']));
    const params = { job_id: 'a b', key_id: 'x'.repeat(100), other: 'x'.repeat(101) };
    const { change } = await audit({ caller: CALLER, body, params });
    expect(change).toMatchObject({ fields: names.slice(0, 50), resource: { key_id: 'x'.repeat(100) } });
    expect(Object.keys(change!.resource)).toEqual(['key_id']);
    expect((await audit({ caller: CALLER, body: 'text' })).change!.fields).toEqual([]);
  });

  it.each([
    [{ id: `job_${OTHER}` }, { resource: { id: `job_${OTHER}` }, targetWorkspaceId: null }],
    [{ id: 't3_1abc' }, { resource: {}, targetWorkspaceId: null }],
    [
      { id: `ws_${OTHER}`, workspace_id: OTHER },
      { resource: { id: `ws_${OTHER}` }, targetWorkspaceId: OTHER },
    ],
    [
      { id: 7, workspace_id: 7 },
      { resource: {}, targetWorkspaceId: null },
    ],
    [null, { resource: {}, targetWorkspaceId: null }],
  ])('names what was created by the answer %j', async (body, outcome) => {
    expect((await audit({ caller: CALLER }, { body })).outcome).toEqual({
      status: 201,
      details: null,
      ...outcome,
    });
  });

  it('has the settings of a record that was noted, otherwise the name in the answer', async () => {
    const noted = { before: { name: 'A', of: 'posts' }, after: { name: 'B', of: 'all' } };
    const body = { id: `alert_${OTHER}`, name: 'C' };
    const changed = await audit({ caller: CALLER, body: { name: 'B' }, noted }, { body });
    const changes = [{ field: 'name', before: 'A', after: 'B' }];
    expect(changed.outcome).toMatchObject({ details: { name: 'B', changes } });
    const created = await audit({ caller: CALLER, body: { name: 'C' } }, { body });
    expect(created.outcome).toMatchObject({ details: { name: 'C', changes: [] } });
    const read = await audit({ caller: CALLER }, { body: { id: 't3_1abc', name: 'of content' } });
    expect(read.outcome).toMatchObject({ details: null });
  });

  it.each([
    [new Problem('quota_exceeded', ''), undefined],
    [new Problem('unavailable', ''), 503],
    [new Error('failed'), 500],
    [new ClientGoneError(), 499],
  ])('is kept after %s only when something may have changed', async (error, status) => {
    const { isDiscarded, outcome } = await audit({ caller: CALLER }, { error });
    expect([isDiscarded, outcome]).toEqual([
      status === undefined,
      status && { status, targetWorkspaceId: null, resource: {} },
    ]);
  });

  it('exists for a read that is marked, with the names of its parameters', async () => {
    const request = { method: 'GET', caller: CALLER, query: { forum: 'secret' } };
    const { change } = await audit(request, { scope: 'read', isAudited: true });
    expect(change).toMatchObject({ actor: 'api_key', fields: ['forum'] });
  });

  it.each([
    ['admin', { signedIn: { actor: 'admin', actorName: null } }],
    [
      { workspaceId: OTHER, keyPrefix: 'rp_1' },
      { targetWorkspaceId: OTHER, signedIn: { actor: 'api_key', actorName: 'rp_1' } },
    ],
    [undefined, { targetWorkspaceId: null }],
  ])('of a sign-in names who signed in: %j', async (signedIn, outcome) => {
    const { change, outcome: seen } = await audit({ signedIn }, { isAudited: true });
    expect(change).toMatchObject({ actor: 'anonymous', actorName: null, targetWorkspaceId: null });
    expect(seen).toMatchObject({ status: 201, ...outcome });
  });

  it.each([
    [{ caller: CALLER }, 'read'],
    [{}, undefined],
  ])('does not exist for %j with the scope %s', async (request, scope) => {
    expect((await audit(request, { scope })).change).toBeUndefined();
  });
});
