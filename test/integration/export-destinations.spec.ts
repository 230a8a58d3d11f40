import { jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { DatabaseClock } from '../../src/database/database-clock.js';
import type { ExportDto } from '../../src/takeout/exports/dto/export-job.dto.js';
import { ErasedExports } from '../../src/takeout/exports/erased-exports.js';
import { RecurringExportRunner } from '../../src/takeout/exports/recurring/recurring-export-runner.js';
import { RecurringExportsRepository } from '../../src/takeout/exports/recurring/recurring-exports.repository.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { HttpReceiver, type ReceivedRequest } from '../support/receivers.js';
import { until } from '../support/until.js';

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

describe('the destination of an export', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let store: HttpReceiver;

  beforeAll(async () => {
    service = await startTestApplication({
      ROLES: 'api,scheduler,worker',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    });
    await service.get(RecurringExportRunner).beforeApplicationShutdown();
    workspace = await service.createWorkspace();
    await storePosts(service, workspace.workspaceId, [aPost(1, { title: 'grüße' }), aPost(2)]);
  });
  beforeEach(async () => void (store = await HttpReceiver.start()));
  afterEach(() => jest.restoreAllMocks());

  const destination = () => ({
    url: `${store.url.replace('http://', 's3+http://AKIAEXAMPLE@')}/files/of mine?region=eu-1`,
    secret: SECRET,
  });
  const send = <T>(method: 'GET' | 'POST', path: string, body?: object) =>
    call<T>(service, workspace, method, path, body);
  const create = () =>
    send<ExportDto>('POST', '/exports', { of: 'posts', format: 'ndjson', destination: destination() });
  const ended = (id: string): Promise<ExportDto> =>
    until(
      () => send<ExportDto>('GET', `/exports/${id}`),
      ({ completed_at: at }) => at !== null,
    );
  const stored = (table: string) =>
    service
      .get(DataSource)
      .query<Record<string, string>[]>(`SELECT * FROM ${table} WHERE workspace_id = $1`, [
        workspace.workspaceId,
      ]);

  it('gets every file and then a manifest with their hashes, signed by its key', async () => {
    const created = await create();
    const record = await ended(created.id);
    const shown = `${store.url.replace('http://', 's3+http://')}/files/of%20mine?region=eu-1`;
    expect(record).toMatchObject({ status: 'completed', rows: 2, destination: { url: shown } });

    const [file, manifest] = store.all as [ReceivedRequest, ReceivedRequest];
    expect(store.all).toHaveLength(2);
    const folder = `/files/of%20mine/${record.created_at.toString().slice(0, 10)}-${record.id}`;
    expect(file).toMatchObject({ method: 'PUT', path: `${folder}/posts-00001.ndjson` });
    expect(file.params.get('X-Amz-Credential')).toMatch(/^AKIAEXAMPLE\/\d{8}\/eu-1\/s3\/aws4_request$/);
    expect(file.headers).toMatchObject({
      'content-length': String(record.bytes),
      'content-type': expect.stringContaining('application/x-ndjson') as string,
    });
    const sha256 = createHash('sha256').update(file.body).digest('hex');
    expect(manifest.path).toBe(`${folder}/manifest.json`);
    expect(JSON.parse(manifest.body)).toMatchObject({
      export_id: record.id,
      of: 'posts',
      files: [{ name: 'posts-00001.ndjson', rows: 2, bytes: record.bytes, sha256 }],
    });
    expect(sha256).toBe(record.parts[0]!.sha256);
  });

  it('is stored and shown without its secret', async () => {
    const created = await create();
    await ended(created.id);
    const texts = [created, await ended(created.id), await stored('exports'), await stored('outbox_events')];
    for (const text of texts) expect(JSON.stringify(text)).not.toContain(SECRET);
    expect(JSON.stringify(store.all.map(({ url, headers }) => [url, headers]))).not.toContain(SECRET);
  });

  it('is tried again after an error that may pass', async () => {
    store.answerWith((_request, before) => ({ status: before === 0 ? 503 : 200 }));
    expect(await ended((await create()).id)).toMatchObject({ status: 'completed' });
    expect(store.all.map(({ path }) => path.split('/').at(-1))).toEqual([
      ...['posts-00001.ndjson', 'posts-00001.ndjson', 'manifest.json'],
    ]);
  });

  it('fails the export when the store refuses a file, which can still be downloaded', async () => {
    store.answerWith({ status: 403, body: '<Error><Code>AccessDenied</Code></Error>' });
    const record = await ended((await create()).id);
    expect(record).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('The receiver answered 403') as string,
    });
    expect(store.all).toHaveLength(1);
    const events = await stored('outbox_events');
    expect(events.map((event) => event['unique_key'])).not.toContain(`export:${record.id.slice(7)}:ended`);
    const part = () => requestAs(service, workspace, 'GET', `/exports/${record.id}/parts/1`);
    await part().expect(200);
    await service.get(ErasedExports).erase(workspace.workspaceId, null);
    await part().expect(404);
  });

  it('gets the files of every run, and its secret is encrypted with a new key', async () => {
    const clock = jest
      .spyOn(service.get(DatabaseClock), 'now')
      .mockResolvedValue(new Date('2026-11-03T09:00Z'));
    const body = { name: 'Daily', of: 'posts', format: 'csv', every: 'day', destination: destination() };
    expect(JSON.stringify(await send('POST', '/recurring-exports', body))).not.toContain(SECRET);
    clock.mockResolvedValue(new Date('2026-11-04T09:00Z'));
    expect(await service.get(RecurringExportRunner).work()).toBe(true);
    await until(
      () => store.all,
      (all) => all.some(({ path }) => path.endsWith('/manifest.json')),
    );
    expect(JSON.parse(store.all.at(-1)!.body)).toMatchObject({ name: 'Daily' });

    const repository = service.get(RecurringExportsRepository);
    const [row] = await repository.findSealedOtherwise('v1.other.', null, 10);
    expect(await repository.findSealedOtherwise('v1.', null, 10)).toEqual([]);
    await repository.replaceSealed(workspace.workspaceId, row!, { ...row!, sealedSecret: 'v1.next.x' });
    expect(await repository.findSealedOtherwise('v1.next.', null, 10)).toEqual([]);
    expect(await repository.findSealedOtherwise('v1.other.', row!, 10)).toEqual([]);
  });

  it.each([
    ['https://store.example/files', 'destination.url must have the form s3://'],
    [`s3://k:secret@store.example/files`, 'destination.url must not contain the secret access key'],
    ['s3://k@169.254.169.254/files', 'destination.url must point to a public address'],
  ])('is refused at %s', async (url, message) => {
    for (const path of ['/exports', '/recurring-exports']) {
      const body = { name: 'x', of: 'posts', format: 'csv', destination: { url, secret: SECRET } };
      const answer = await requestAs(service, workspace, 'POST', path).send(body).expect(400);
      expect(answer.body).toMatchObject({
        errors: [{ field: 'destination.url', message: expect.stringContaining(message) as string }],
      });
      expect(answer.text).not.toContain(SECRET);
    }
  });
});
