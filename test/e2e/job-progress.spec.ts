import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { MediaDownloader } from '../../src/modules/media/media-downloader.js';
import { MediaRefused } from '../../src/modules/media/media-store.js';
import { startSandbox, type Sandbox } from '../../src/platforms/sandbox/server/sandbox.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { type Answer, Contract } from '../support/contract.js';
import { runJob } from '../support/jobs.js';
import { scrapingFrom } from '../support/sandbox.js';

const PLUGIN = `export default {
  name: 'faulty',
  description: 'Fails on every batch.',
  onPosts() { throw new Error('out of order'); },
};`;

describe('the progress of a job', () => {
  let folder: string;
  let sandbox: Sandbox;
  let service: TestApplication;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'job-progress-spec-'));
    await writeFile(join(folder, 'faulty.mjs'), PLUGIN);
    sandbox = await startSandbox();
    service = await startTestApplication({ ...scrapingFrom(sandbox.baseUrl), PLUGINS_DIR: folder });
    jest
      .spyOn(service.app.get(MediaDownloader, { strict: false }), 'fetch')
      .mockRejectedValue(new MediaRefused('gone'));
  });
  afterAll(async () => {
    await service.close();
    await sandbox.close();
    await rm(folder, { recursive: true });
  });

  it('is served as documented, with failed media and plugins too', async () => {
    const workspace = await service.createWorkspace();
    const job = await runJob(service, workspace, { target: 'pictures', limit: 20, plugins: ['faulty'] });
    expect(job.progress).toMatchObject({
      posts: 20,
      media: 0,
      media_failed: expect.any(Number) as number,
      plugin_errors: [{ plugin: 'faulty', count: 1, message: 'out of order' }],
    });
    const address = workspace.path(`/jobs/${job.id}`);
    const response = await fetch(service.url + address, { headers: { 'X-API-Key': workspace.apiKey } });
    const text = await response.text();
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: JSON.parse(text) as Answer['body'],
    };
    expect(Contract.of(service).complaints('GET', address, answer)).toEqual([]);
  });
});
