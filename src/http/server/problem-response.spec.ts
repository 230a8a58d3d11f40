import { jest } from '@jest/globals';
import { BadRequestException, Logger, NotFoundException } from '@nestjs/common';
import type { Application } from 'express';
import { Problem } from '../problems/problem.js';
import { answerTheRest } from './problem-response.js';

beforeEach(() => jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined));
afterEach(() => jest.restoreAllMocks());

type Handler = (error: unknown, request: object, response: object, next: () => void) => void;

/** The status, headers and document with which an error is answered; null where the connection is closed. */
function answerTo(error: unknown, headersSent = false, present: string[] = []) {
  const handlers: Handler[] = [];
  answerTheRest({
    use: (one: Handler) => handlers.push(one),
    router: { stack: [] },
  } as unknown as Application);
  const answer = { status: 0, headers: {}, document: {} as Record<string, unknown>, isClosed: false };
  const response = {
    headersSent,
    hasHeader: (name: string) => present.includes(name),
    destroy: () => (answer.isClosed = true),
    status: (status: number) => ((answer.status = status), response),
    set: (headers: object) => ((answer.headers = headers), response),
    type: () => response,
    send: (text: string) => (answer.document = JSON.parse(text) as Record<string, unknown>),
  };
  const request = { method: 'GET', path: '/x', originalUrl: '/x', url: '/x', id: 'r' };
  handlers.at(-1)!(error, request, response, () => undefined);
  return answer;
}
const withStatus = (status: number, more: object = {}): Error =>
  Object.assign(new Error('secret'), { status, ...more });

describe('an error', () => {
  it.each<[string, unknown, number, string, string | undefined]>([
    ['a problem', new Problem('rate_limited', 'wait'), 429, 'rate_limited', undefined],
    ['a limit of the body', withStatus(413, { limit: 1_024 }), 413, 'body_too_large', undefined],
    ['another type of body', withStatus(415), 415, 'unsupported_media_type', undefined],
    ['the first status of a client', withStatus(400), 400, 'validation_failed', 'body'],
    ['the last status of a client', withStatus(499), 400, 'validation_failed', 'body'],
    ['an exception of Nest', new BadRequestException('secret'), 400, 'validation_failed', 'body'],
    ['an address', withStatus(400, { cause: new URIError('secret') }), 400, 'validation_failed', 'path'],
    [
      'an address by its message',
      new BadRequestException('Failed to decode param'),
      400,
      'validation_failed',
      'path',
    ],
    ['no status of an error', withStatus(399), 500, 'internal_error', undefined],
    ['the first status of a server', withStatus(500), 500, 'internal_error', undefined],
    ['a text as status', withStatus('400' as never), 500, 'internal_error', undefined],
    ['nothing', null, 500, 'internal_error', undefined],
  ])('that is %s is answered without its text', (_case, error, status, code, field) => {
    const { document, ...answer } = answerTo(error);
    const [first] = (document.errors ?? []) as { field: string }[];
    expect([answer.status, document.status, document.code, first?.field]).toEqual([
      status,
      status,
      code,
      field,
    ]);
    expect(document).toMatchObject({ type: `urn:problem:${code}`, instance: '/x', request_id: 'r' });
    expect(JSON.stringify(document)).not.toContain('secret');
  });

  it.each([
    [withStatus(413, { limit: 2_048 }), 'The request body exceeds 2 KiB.'],
    [withStatus(413), 'The request body exceeds 256 KiB.'],
  ])('names the limit of a body', (error, detail) => {
    expect(answerTo(error).document.detail).toBe(detail);
  });

  it('names a scheme with a refused credential, and closes a response that has begun', () => {
    expect(answerTo(new Problem('invalid_api_key', 'no')).headers).toEqual({ 'WWW-Authenticate': 'Bearer' });
    expect(answerTo(new Problem('invalid_api_key', 'no'), false, ['WWW-Authenticate']).headers).toEqual({});
    expect(answerTo(new Problem('insufficient_scope', 'no')).headers).toEqual({});
    expect(answerTo(new Problem('rate_limited', 'no'), true)).toMatchObject({ isClosed: true, status: 0 });
  });

  it('of no route names the path', () => {
    expect(answerTo(new NotFoundException()).document).toMatchObject({ code: 'not_found', status: 404 });
  });
});
