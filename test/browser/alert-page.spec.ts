import type { Page } from 'playwright-core';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import type { MatchPageDto } from '../../src/alerts/triage/match.dto.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { Dashboard, expectSoon, focused, loaded, violationsInAllViews } from './browser.js';

const JOB = '00000000-0000-4000-8000-000000000009';
const POSTS = 12;
const DAY_MS = 86_400_000;

describe('the page of an alert', () => {
  const dashboard = new Dashboard(() =>
    startTestApplication({ ROLES: 'api,worker', OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8' }),
  );
  let receiver: HttpReceiver;

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
  });
  afterAll(() => receiver.close());

  /** A workspace with an alert that found twelve posts of the last days. */
  async function withAlert(): Promise<{ page: Page; workspace: TestWorkspace; id: string }> {
    const { service } = dashboard;
    const workspace = await service.createWorkspace();
    const { id } = await call<{ id: string }>(service, workspace, 'POST', '/alerts', {
      name: 'Batteries',
      query: 'batteries',
      channel: 'webhook',
      channel_config: { webhook_url: receiver.url },
      fold_duplicates: false,
    });
    const posts = Array.from({ length: POSTS }, (_, number) =>
      aPost(number, { createdUtc: new Date(Date.now() - (number + 1) * DAY_MS) }),
    );
    await service.get(TransactionRunner).run(async (tx) => {
      await service.get(PostsRepository).upsert(workspace.workspaceId, posts, tx);
      await service
        .get(AlertMatchingService)
        .matchBatch(workspace.workspaceId, JOB, { posts, comments: [] }, null, tx);
    });
    const { page } = await dashboard.signedIn(`/alerts/${id}`, workspace);
    await page.getByRole('heading', { name: 'Batteries' }).waitFor();
    return { page, workspace, id };
  }
  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it('is where the creation of an alert ends, and leads to what is stored', async () => {
    const { page } = await dashboard.signedIn('/alerts?create=yes&keywords=heat+pump');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL('**/alerts/*?created=yes');
    await page.getByText('Created. From now on').waitFor();
    await page.getByRole('link', { name: 'Show what is stored already' }).click();
    await page.waitForURL('**/search?q=*');
  });

  it('shows trend, sources and mentions without a finding of axe', async () => {
    const { page } = await withAlert();
    await part(page, 'In the last 90 days').getByText(`Posts: ${POSTS}`).waitFor();
    await part(page, 'Sources').getByText(`${POSTS} · 100%`).waitFor();
    await page.getByRole('link', { name: `All ${POSTS} in Mentions` }).waitFor();
    await loaded(page);
    expect(await violationsInAllViews(page)).toEqual([]);
  });

  it('changes the search in place with a preview, by keyboard alone', async () => {
    const { page, workspace, id } = await withAlert();
    await page.getByRole('button', { name: 'Change', exact: true }).focus();
    await page.keyboard.press('Enter');
    await focused(page.getByLabel('Look for'));
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' -minute');
    await page.getByText('6 of the newest 12 posts match.').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await part(page, 'What it looks for').getByText('batteries -minute').waitFor();
    await focused(page.getByRole('button', { name: 'Change', exact: true }));
    expect(await call(dashboard.service, workspace, 'GET', `/alerts/${id}?view=full`)).toMatchObject({
      query: 'batteries -minute',
      keywords: [],
    });
  });

  it('labels the ten that teach most by keys, and takes one back', async () => {
    const { page, workspace, id } = await withAlert();
    await page.getByText('After ten decisions').waitFor();
    await page.getByRole('button', { name: 'Next to decide' }).click();
    await page.getByText('Keep (S) or dismiss (D)').waitFor();
    for (let left = 10; left > 0; left -= 1) await page.keyboard.press(left % 2 === 0 ? 's' : 'd');
    await part(page, 'Mentions').getByText('5 kept, 5 dismissed.').waitFor();
    await page.keyboard.press('z');
    await expectSoon(
      async () =>
        (await call<MatchPageDto>(dashboard.service, workspace, 'GET', `/matches?alert_id=${id}&limit=1`))
          .counts,
      { new: 3, seen: 0, kept: 5, dismissed: 4 },
    );
  });

  it('tests the channel, pauses and deletes', async () => {
    const { page, workspace } = await withAlert();
    const before = receiver.all.length;
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await receiver.received(before + 1);
    await part(page, 'Deliveries').getByText('HTTP 200').first().waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL('**/alerts');
    await page.getByText('No alerts yet.').waitFor();
    await page.goto('about:blank');
    await expectSoon(() => call(dashboard.service, workspace, 'GET', '/alerts'), []);
  });
});

describe('stories and reports in the dashboard', () => {
  const dashboard = new Dashboard();

  it('leads to the page of a story with its posts, by keyboard', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const posts = Array.from({ length: 6 }, (_, number) =>
      aPost(number, {
        title: `Recall of the Nordlicht power bank after a fire, part ${number}`,
        selftext: 'The Nordlicht power bank overheats while charging; its cells swell.',
        createdUtc: new Date(Date.now() - (number + 1) * 3_600_000),
      }),
    );
    await dashboard.service
      .get(TransactionRunner)
      .run((tx) => dashboard.service.get(PostsRepository).upsert(workspace.workspaceId, posts, tx));
    const { page } = await dashboard.signedIn('/stories', workspace);
    await page.getByRole('link', { name: 'Recall of the Nordlicht' }).press('Enter');
    await page.waitForURL('**/stories/story_*');
    await page.getByRole('heading', { level: 1, name: 'Recall of the Nordlicht' }).waitFor();
    const texts = page.getByRole('region', { name: 'Posts and comments' });
    await texts.getByRole('link', { name: 'Recall of the Nordlicht' }).nth(5).waitFor();
    await page.getByRole('region', { name: 'Facts' }).getByText('In 24 hours').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
  });

  it('creates a report with a preview, shows it and deletes it', async () => {
    const workspace = await dashboard.service.createWorkspace();
    await call(dashboard.service, workspace, 'POST', '/alerts', { name: 'Batteries', keywords: ['battery'] });
    const { page } = await dashboard.signedIn('/reports?create=yes', workspace);
    await focused(page.getByLabel('Name'));
    await page.keyboard.type('Weekly');
    await page.getByLabel('Batteries').check();
    await page.getByLabel('Preview').getByText('Figures').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL('**/reports/*');
    await page.getByRole('heading', { name: 'Weekly' }).waitFor();
    await page.getByRole('region', { name: 'Latest' }).getByText('Batteries').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete Weekly' }).click();
    await page.waitForURL('**/reports');
    await page.getByText('No reports yet.').waitFor();
    await page.goto('about:blank');
    await expectSoon(() => call(dashboard.service, workspace, 'GET', '/reports'), []);
  });
});
