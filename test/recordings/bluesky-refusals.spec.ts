import { readFileSync } from 'node:fs';
import { parseEnvironment } from '../../src/config/environment.js';
import { OutboundHttpClient } from '../../src/infrastructure/outbound-http/outbound-http-client.js';
import { InProcessRequestBudget } from '../../src/platforms/http/in-process-request-budget.js';
import type { ListingPage, Platform } from '../../src/platforms/platform.js';
import { SOURCES } from '../../src/platforms/registry.js';
import { sharedPath, withShared } from '../support/shared-folder.js';
import { RecordedSites } from './site-replay.js';

interface RecordedPost {
  author: { did: string; handle: string; labels?: { val: string }[] };
  record: { reply?: object };
}

withShared('recordings-bluesky').describe('an account of Bluesky that cannot be read', () => {
  let sites: RecordedSites;
  let platform: Platform;
  const outbound = new OutboundHttpClient([]);
  const accounts = (asksForMembers: boolean): RecordedPost['author'][] =>
    (
      JSON.parse(readFileSync(sharedPath('recordings-bluesky/world.json'), 'utf8')) as {
        posts: RecordedPost[];
      }
    ).posts
      .filter(({ record }) => record.reply === undefined)
      .map(({ author }) => author)
      .filter(
        ({ labels = [] }) => labels.some(({ val }) => val === '!no-unauthenticated') === asksForMembers,
      );

  beforeEach(async () => {
    sites = await RecordedSites.start('bluesky');
    platform = SOURCES.find('bluesky')!.create({
      environment: parseEnvironment({ ...sites.variables, SOURCE_IGNORE_NOINDEX: 'false' }),
      userAgent: 'agent/1.0',
      outbound,
      budget: () => new InProcessRequestBudget(1_000_000),
      logAs: () => () => undefined,
    });
  });
  afterEach(async () => {
    await platform.close();
    await sites.stop();
  });
  afterAll(() => outbound.close());

  const read = (handle: string): Promise<ListingPage> =>
    platform.fetchListing({ target: { type: 'user', name: handle }, name: 'feed', wanted: 10 }, null, {
      signal: new AbortController().signal,
      workspaceId: 'w',
      priority: 'normal',
      onRequest: () => undefined,
    });
  const setStatus = (did: string, status: string) =>
    fetch(`${sites.variables.BLUESKY_APPVIEW_URL}/__account?did=${did}&status=${status}`, { method: 'POST' });

  it('is not there', async () => {
    await expect(read('unknown.example.org')).rejects.toMatchObject({ code: 'target_not_found' });
  });

  it.each([
    ['takendown', 'target_banned'],
    ['deactivated', 'target_not_found'],
    ['deleted', 'target_not_found'],
  ])('is %s', async (status, code) => {
    const [account] = accounts(false);
    expect((await read(account!.handle)).posts.length).toBeGreaterThan(0);
    await setStatus(account!.did, status);
    await expect(read(account!.handle)).rejects.toMatchObject({ code });
  });

  it('asks not to be shown to visitors', async () => {
    const [account] = accounts(true);
    await expect(read(account!.handle)).rejects.toMatchObject({
      code: 'target_forbidden',
      message: expect.stringContaining('SOURCE_IGNORE_NOINDEX'),
    });
  });
});
