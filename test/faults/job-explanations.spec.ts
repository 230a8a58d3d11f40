import { jest } from '@jest/globals';
import { MediaDownloader } from '../../src/content/media/media-downloader.js';
import { Platforms } from '../../src/platforms/platforms.js';
import type { Sandbox } from '../../src/sandbox/server/sandbox.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { Contract } from '../support/contract.js';
import type { JobRecord } from '../support/jobs.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';
import { until } from '../support/until.js';

/** More free space than any disk has. */
const NO_DISK = '999999999999999';
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;

interface Situation {
  name: string;
  /** Variables of the service, which scrapes a synthetic platform unless they say otherwise. */
  variables?: Record<string, string>;
  /** Provokes the situation and returns the id of a job that is or will be in it. */
  provoke: (service: TestApplication, workspace: TestWorkspace) => Promise<string>;
  /** The part of the record that explains the situation. */
  explained: object;
}

const create = async (service: TestApplication, workspace: TestWorkspace, body: object): Promise<string> =>
  (await call<JobRecord>(service, workspace, 'POST', '/jobs', body)).id;
const TEXTS = { scrape_comments: false, download_media: false };

/** Releases requests that a test holds back until the service is closed. */
const release: (() => void)[] = [];
const held = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = () => reject(new Error('released'));
    release.push(end);
    signal.addEventListener('abort', end, { once: true });
  });

const SITUATIONS: Situation[] = [
  {
    name: 'the request budget is used up',
    variables: { PLATFORM_REQUESTS_PER_MINUTE: '2' },
    provoke: (service, workspace) => create(service, workspace, { target: 'forum', limit: 500, ...TEXTS }),
    explained: {
      status: 'running',
      progress: {
        waiting_for: { reason: 'budget', until: ISO, cause: matching(/request budget.*used up/) },
        remedy: matching(/continues automatically.*PLATFORM_REQUESTS_PER_MINUTE/),
      },
    },
  },
  {
    name: 'the platform answers 503',
    provoke: (service, workspace) => create(service, workspace, { target: 'downforum', ...TEXTS }),
    explained: {
      status: 'running',
      progress: {
        waiting_for: {
          reason: 'retry',
          cause: matching(/"downforum" failed \(status 503\) and is retried/),
        },
        remedy: matching(/retried automatically/),
      },
    },
  },
  {
    name: 'the platform does not answer',
    provoke: (service, workspace) => create(service, workspace, { target: 'slowforum', ...TEXTS }),
    explained: {
      status: 'running',
      progress: {
        waiting_for: {
          reason: 'retry',
          until: ISO,
          cause: matching(/has not responded.*is retried/),
        },
        remedy: matching(/retried automatically/),
      },
    },
  },
  {
    name: 'no worker is running',
    variables: { ROLES: 'api' },
    provoke: (service, workspace) => create(service, workspace, { target: 'forum', ...TEXTS }),
    explained: {
      status: 'pending',
      progress: {
        waiting_for: { reason: 'worker', until: null, cause: matching(/No worker/) },
        remedy: matching(/ROLES=worker/),
      },
    },
  },
  {
    name: 'other jobs have their turn first',
    provoke: async (service, workspace) => {
      const { platform } = service.get(Platforms).of({ type: 'forum', name: 'forum' });
      jest.spyOn(platform, 'fetchListing').mockImplementation((_listing, _after, { signal }) => held(signal));
      const ids = [];
      // Two large jobs of a workspace run at a time, so the fourth is the second in the queue.
      for (let n = 0; n < 4; n += 1)
        ids.push(await create(service, workspace, { target: 'forum', limit: 500 }));
      return ids.at(-1)!;
    },
    explained: {
      status: 'pending',
      progress: {
        waiting_for: {
          reason: 'turn',
          until: null,
          position: 2,
          cause: matching(/1 job .*will start first; 2 are running/),
        },
        remedy: matching(/starts automatically/),
      },
    },
  },
  {
    name: 'the platform refuses the credentials',
    variables: { PLATFORM_CLIENT_ID: 'id', PLATFORM_CLIENT_SECRET: 'refused', PLATFORM_USER_AGENT: 'test' },
    provoke: (service, workspace) => create(service, workspace, { target: 'forum', ...TEXTS }),
    explained: {
      status: 'failed',
      error_message: matching(/refused the OAuth application/),
      progress: {
        error_code: 'credentials_refused',
        remedy: matching(/PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET/),
      },
    },
  },
  {
    name: 'the platform has banned the forum',
    provoke: (service, workspace) => create(service, workspace, { target: 'bannedforum', ...TEXTS }),
    explained: {
      status: 'failed',
      error_message: matching(/banned/),
      progress: { error_code: 'target_banned', remedy: matching(/another target/) },
    },
  },
  {
    name: 'media are slow',
    provoke: (service, workspace) => {
      jest
        .spyOn(service.get(MediaDownloader), 'fetch')
        .mockImplementation((_workspaceId, _medium, _now, signal) => held(signal));
      return create(service, workspace, { target: 'images', limit: 5, scrape_comments: false });
    },
    explained: {
      status: 'running',
      posts_scraped: 5,
      progress: {
        media_pending: expect.any(Number) as number,
        media_until: ISO,
        remedy: matching(/media_until.*media_failed/),
      },
    },
  },
  {
    name: 'the archive is away',
    variables: { ARCHIVE_BASE_URL: 'http://127.0.0.1:9' },
    provoke: (service, workspace) => {
      const { platform } = service.get(Platforms).of({ type: 'forum', name: 'images' });
      // With a single listing, which ends at its cap, the archive comes next.
      jest.replaceProperty(platform, 'listings', ['new']);
      jest.replaceProperty(platform, 'listingCap', 1);
      return create(service, workspace, { target: 'images', mode: 'history', limit: 1_000 });
    },
    explained: {
      status: 'running',
      progress: {
        waiting_for: { reason: 'retry', cause: matching(/the archive's posts.*ECONNREFUSED/) },
        remedy: matching(/retried automatically/),
      },
    },
  },
  {
    name: 'the disk is full',
    variables: { MEDIA_MIN_FREE_BYTES: NO_DISK },
    provoke: (service, workspace) =>
      create(service, workspace, { target: 'images', limit: 5, scrape_comments: false }),
    explained: {
      status: 'completed',
      media_downloaded: 0,
      progress: {
        media_failed: expect.any(Number) as number,
        media_failed_reason: matching(/disk of the media.*MEDIA_MIN_FREE_BYTES/),
        remedy: matching(/media_failed_reason, then repeat/),
      },
    },
  },
  {
    name: 'the job was cancelled while it waited',
    variables: { PLATFORM_REQUESTS_PER_MINUTE: '2' },
    provoke: async (service, workspace) => {
      const id = await create(service, workspace, { target: 'forum', limit: 500, ...TEXTS });
      await until(recordOf(service, workspace, id), ({ progress }) => progress.waiting_for !== undefined);
      await call(service, workspace, 'DELETE', `/jobs/${id}`);
      return id;
    },
    explained: {
      status: 'cancelled',
      progress: { remedy: matching(/kept.*\/repeat/) },
    },
  },
];

/** Reads the record of a job. */
const recordOf = (service: TestApplication, workspace: TestWorkspace, id: string) => () =>
  call<JobRecord>(service, workspace, 'GET', `/jobs/${id}`);

const isExplainedBy = (record: JobRecord, explained: object): boolean => {
  try {
    expect(record).toMatchObject(explained);
    return true;
  } catch {
    return false;
  }
};

describe("a job's record says what is happening and what to do when", () => {
  let sandbox: Sandbox;
  let service: TestApplication | undefined;

  beforeAll(async () => {
    sandbox = await openSandbox({
      forums: {
        forum: { posts: 800, kinds: { self: 1 } },
        images: { posts: 20, kinds: { image: 1 } },
      },
    });
  });
  afterEach(async () => {
    for (const end of release.splice(0)) end();
    jest.restoreAllMocks();
    await service?.close();
    service = undefined;
  });

  it.each(SITUATIONS)('$name', async ({ variables, provoke, explained }) => {
    service = await startTestApplication({ ...scrapingFrom(sandbox.baseUrl), ...variables });
    const workspace = await service.createWorkspace();
    const id = await provoke(service, workspace);
    const record = await until(recordOf(service, workspace, id), (one) => isExplainedBy(one, explained));
    expect(record).toMatchObject(explained);
    if (record.status === 'cancelled') expect(record.progress).not.toHaveProperty('waiting_for');
    const schema = { $ref: '#/components/schemas/JobDto' };
    expect(Contract.of(service).validate('the record', schema, record)).toEqual([]);
  });
});

describe("a job's log", () => {
  it('names its steps, repeats and end, and is there when the job has ended', async () => {
    const sandbox = await openSandbox({
      faults: { rate: 1, kinds: ['503'], maxInARow: 1 },
      forums: { forum: { posts: 150, kinds: { self: 1 } } },
    });
    const service = await startTestApplication(scrapingFrom(sandbox.baseUrl));
    const workspace = await service.createWorkspace();
    const id = await create(service, workspace, { target: 'forum', limit: 150, ...TEXTS });
    await until(recordOf(service, workspace, id), ({ status }) => status === 'completed');
    const { entries, left_out } = await call<{
      entries: { event: string; level: string; message: string; details: object }[];
      left_out: number;
    }>(service, workspace, 'GET', `/jobs/${id}/log`);
    expect(left_out).toBe(0);
    expect(entries[0]).toMatchObject({ event: 'created', details: { mode: 'full', limit: 150 } });
    expect(entries[1]).toMatchObject({
      event: 'execution_started',
      details: { attempt: 1, resumed: false },
    });
    expect(entries).toContainEqual(
      expect.objectContaining({
        event: 'request_repeated',
        level: 'warn',
        message: 'The request for forum "forum" failed and is retried (status 503)',
        details: expect.objectContaining({ cause: 'status 503' }) as object,
      }),
    );
    expect(entries.filter(({ event }) => event === 'posts_stored').map(({ details }) => details)).toEqual([
      { posts: 100, total: 100 },
      { posts: 50, total: 150 },
    ]);
    expect(entries.at(-1)).toMatchObject({ event: 'completed', details: { posts: 150 } });
  });
});
