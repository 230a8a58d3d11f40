import { jest } from '@jest/globals';
import { HttpException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { ApiKeysRepository } from '../../src/access/api-keys/api-keys.repository.js';
import { JobsRepository } from '../../src/collect/jobs/jobs.repository.js';
import { startTestApplication } from '../support/application.js';

const SECRET = 'sealed_secret of /srv/service/dist/main.js';
const SQL = `SELECT ${SECRET} FROM webhooks`;

function postgresError(): Error {
  const driverError = Object.assign(new Error(`relation "${SECRET}" does not exist`), { code: '42P01' });
  return new QueryFailedError(SQL, [SECRET], driverError);
}

const service = await startTestApplication();
const workspace = await service.createWorkspace();

describe('an unexpected failure', () => {
  afterEach(() => jest.restoreAllMocks());

  const ask = (method: string, path: string, body?: object) =>
    fetch(service.url + workspace.path(path), {
      method,
      headers: {
        'X-API-Key': workspace.apiKey,
        'X-Request-Id': 'asked-by-a-test',
        ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });

  async function expectBareProblem(response: Response, path: string): Promise<void> {
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(JSON.parse(text)).toEqual({
      type: 'urn:problem:internal_error',
      title: expect.any(String),
      status: 500,
      detail: expect.any(String),
      instance: workspace.path(path),
      code: 'internal_error',
      request_id: 'asked-by-a-test',
    });
    const everything = text + JSON.stringify([...response.headers]);
    for (const part of [SECRET, 'SELECT', 'webhooks', 'sealed', '/srv', 'dist', '    at '])
      expect(everything).not.toContain(part);
  }

  it.each([
    ['an error', () => new Error(SECRET)],
    ['an error of Postgres', postgresError],
    ['an error with a cause', () => new TypeError(SECRET, { cause: postgresError() })],
    ['a status and a message', () => Object.assign(new Error(SECRET), { status: 500, expose: true })],
    ["the framework's exception", () => new HttpException({ message: SECRET, sql: SQL }, 500)],
    ['a status of a gateway', () => new HttpException(SECRET, 502)],
    ['a text', () => SECRET],
    ['nothing', () => undefined],
  ])('that is %s is answered without revealing it', async (_, failure) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    const fail = () => Promise.reject(failure());
    const jobs = service.get(JobsRepository);
    jest.spyOn(jobs, 'list').mockImplementation(fail);
    jest.spyOn(jobs, 'insert').mockImplementation(fail);
    const listed = await ask('GET', '/jobs');
    expect(listed.status).toBe(500);
    await expectBareProblem(listed, '/jobs');
    const created = await ask('POST', '/jobs', { target: 'technology' });
    expect(created.status).toBe(500);
    await expectBareProblem(created, '/jobs');
  });

  it('before authentication is answered without revealing it', async () => {
    const keys = service.get(ApiKeysRepository);
    jest.spyOn(keys, 'findByHash').mockRejectedValue(postgresError());
    const response = await ask('GET', '/alerts');
    expect(response.status).toBe(500);
    await expectBareProblem(response, '/alerts');
  });

  it('of an event stream is answered without revealing it', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    jest.spyOn(service.get(JobsRepository), 'find').mockRejectedValue(postgresError());
    const response = await ask('GET', `/jobs/${id}/events`);
    expect(response.status).toBe(500);
    await expectBareProblem(response, `/jobs/${id}/events`);
  });

  it('leaves nothing under its idempotency key', async () => {
    const jobs = service.get(JobsRepository);
    jest.spyOn(jobs, 'insert').mockRejectedValueOnce(new Error(SECRET));
    expect((await ask('POST', '/jobs', { target: 'technology' })).status).toBe(500);
    const repeat = await ask('POST', '/jobs', { target: 'technology' });
    expect([repeat.status, repeat.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  it('that is a conflict of transactions asks the client to retry', async () => {
    const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    const jobs = service.get(JobsRepository);
    jest.spyOn(jobs, 'list').mockRejectedValueOnce(new QueryFailedError(SQL, [], deadlock));
    const response = await ask('GET', '/jobs');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
    expect((await ask('GET', '/jobs')).status).toBe(200);
  });
});
