import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import { serveDashboard } from './dashboard.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const PAGE = '<!doctype html><html lang="en"><title>Dashboard</title>';
const SCRIPT = 'console.log(1)';

const folder = await temporaryFolder();

describe('serveDashboard', () => {
  beforeAll(async () => {
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), PAGE);
    await writeFile(join(folder, 'assets/index-abc123.js'), SCRIPT);
    await writeFile(join(folder, 'assets/index-abc123.js.gz'), gzipSync(SCRIPT));
    await writeFile(join(folder, 'assets/text-abc123.woff2'), 'font');
    await writeFile(join(folder, 'favicon.svg'), '<svg/>');
    await writeFile(join(folder, 'favicon.svg.gz'), gzipSync('<svg/>'));
    await writeFile(join(folder, 'favicon.svg.br'), brotliCompressSync('<svg/>'));
    await writeFile(join(folder, '.inputs.json'), '{}');
  });

  const service = (from = folder, hasSyntheticReddit = false) =>
    request(
      express()
        .use(serveDashboard({ folder: from, hasSyntheticReddit, hasEmail: true }))
        .use((_request, response) => void response.status(404).json({ code: 'not_found' })),
    );
  const asBrowser = (path: string) => service().get(path).set('Accept', 'text/html,*/*;q=0.8');

  it('serves its page at / to every client, with a strict policy', async () => {
    const { text, headers } = await service().get('/').expect(200);
    expect(text).toBe(PAGE);
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-security-policy']!.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self'",
      "media-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
    ]);
  });

  it('serves its page at other paths to browsers only', async () => {
    expect((await asBrowser('/jobs/job_1').expect(200)).text).toBe(PAGE);
    await service().get('/jobs/job_1').expect(404);
    await service().get('/jobs').set('Accept', 'application/json').expect(404);
    await service().post('/jobs').set('Accept', 'text/html').expect(404);
  });

  it.each([
    ['/', true],
    ['/jobs/job_1', true],
    ['/administration', true],
    ['/admin', false],
    ['/admin/workspaces', false],
  ])('serves the page at %s with an early session request: %s', async (path, hasRequest) => {
    const { headers } = await asBrowser(path).expect(200);
    expect(headers['link']).toBe(
      hasRequest ? '</api/v1/session>; rel=preload; as=fetch; crossorigin' : undefined,
    );
  });

  it.each(['/api/v1/nothing', '/docs', '/docs-json', '/health/live', '/metrics', '/assets/gone.js'])(
    'does not handle %s',
    (path) => asBrowser(path).expect(404),
  );

  it('lets browsers cache files with hashed names, compressed if they accept it', async () => {
    const { text, headers } = await service()
      .get('/assets/index-abc123.js')
      .set('Accept-Encoding', 'gzip')
      .expect(200);
    expect(text).toBe(SCRIPT);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept, Accept-Encoding',
    });
    const plain = await service()
      .get('/assets/index-abc123.js')
      .set('Accept-Encoding', 'identity')
      .expect(200);
    expect(plain.headers['content-encoding']).toBeUndefined();
    await service().get('/').set('If-None-Match', headers.etag!).expect(200);
    await service().get('/assets/index-abc123.js').set('If-None-Match', headers.etag!).expect(304);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ])('compresses for a browser that accepts %s with %s', async (accepted, encoding) => {
    const { headers } = await service().head('/favicon.svg').set('Accept-Encoding', accepted).expect(200);
    expect(headers['content-encoding']).toBe(encoding);
  });

  it('marks its page, compressed or not, when Reddit posts are synthetic', async () => {
    const { text, headers } = await service(folder, true).get('/').expect(200);
    expect(headers['content-encoding']).toBe('gzip');
    expect(text).toBe('<!doctype html><html data-reddit="synthetic" lang="en"><title>Dashboard</title>');
    const unmarked = await service().get('/').set('If-None-Match', headers.etag!).expect(200);
    expect(unmarked.text).toBe(PAGE);
    const named = await service(folder, true).get('/index.html').set('Accept', 'text/html').expect(200);
    expect(named.text).toBe(text);
  });

  it('serves fonts by their own type', async () => {
    const { headers } = await service().get('/assets/text-abc123.woff2').expect(200);
    expect(headers).toMatchObject({
      'content-type': 'font/woff2',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('serves only pages, scripts, styles, fonts and images', async () => {
    await service().get('/.inputs.json').expect(404);
    await service().get('/assets/..%2f.inputs.json').expect(404);
  });

  it('explains at / how to build the dashboard when there is no build', async () => {
    const { text } = await service(join(folder, 'absent')).get('/').expect(200);
    expect(text).toContain('npm run web:build');
    await service(join(folder, 'absent')).get('/jobs').set('Accept', 'text/html').expect(404);
  });
});
