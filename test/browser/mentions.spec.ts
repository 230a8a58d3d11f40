import type { Page } from 'playwright-core';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import type { MatchPageDto } from '../../src/alerts/triage/match.dto.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { aComment } from '../factories/comments.js';
import { aPost } from '../factories/posts.js';
import type { TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { Dashboard, expectSoon, focused } from './browser.js';

const JOB = '00000000-0000-4000-8000-000000000009';
const MOST_KEYS = 150;

describe('the inbox of mentions', () => {
  const dashboard = new Dashboard();

  async function withMentions(count: number, path: string) {
    const { service } = dashboard;
    const workspace = await service.createWorkspace();
    const { workspaceId } = workspace;
    await service.get(AlertsService).create(workspaceId, { name: 'Batteries', keywords: ['battery'] });
    const posts = Array.from({ length: count }, (_, number) => aPost(number));
    await service.get(TransactionRunner).run(async (tx) => {
      await service.get(PostsRepository).upsert(workspaceId, posts, tx);
      await service.get(AlertMatchingService).matchBatch(workspaceId, JOB, { posts, comments: [] }, null, tx);
    });
    const { page } = await dashboard.signedIn(path, workspace);
    return { page, workspace };
  }
  const countsOf = async (workspace: TestWorkspace) =>
    (await call<MatchPageDto>(dashboard.service, workspace, 'GET', '/matches?limit=1')).counts;
  const cards = (page: Page) => page.getByRole('main').getByRole('article');

  it('is emptied of 100 mentions by at most 150 keys, in one pass', async () => {
    const { page, workspace } = await withMentions(100, '/mentions');
    await page.getByText('Select all 100 shown').waitFor();
    let keys = 0;
    const press = async (key: string): Promise<void> => {
      keys += 1;
      await page.keyboard.press(key);
    };
    for (let left = 100; left > 0; left -= 1) {
      const action = left % 3 === 0 ? 's' : 'e';
      // Some mentions are read again before they are decided on.
      if (left % 10 === 5) {
        await press('j');
        await press('k');
      }
      await press(action);
    }
    await page.getByText('Nothing new.').waitFor();
    expect(keys).toBeLessThanOrEqual(MOST_KEYS);
    await expectSoon(() => countsOf(workspace), { new: 0, seen: 67, kept: 33, dismissed: 0 });
  });

  it('renders 25 mentions at first, and the others when the reader comes to them', async () => {
    const { page } = await withMentions(60, '/mentions');
    await page.getByText('Select all 60 shown').waitFor();
    await expectSoon(() => cards(page).count(), 25);
    for (let at = 0; at < 29; at += 1) await page.keyboard.press('j');
    await focused(cards(page).nth(29));
    await page.keyboard.press('k');
    await focused(cards(page).nth(28));
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, 100_000);
    await cards(page).nth(59).waitFor();
  });

  it('takes changes back, of one mention and of selected ones', async () => {
    const { page, workspace } = await withMentions(4, '/mentions');
    await cards(page).nth(3).waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('d');
    await page.getByText('2 mentions: Dismissed').waitFor();
    await page.keyboard.press('s');
    await expectSoon(() => countsOf(workspace), { new: 1, seen: 0, kept: 1, dismissed: 2 });
    await page.keyboard.press('z');
    await page.keyboard.press('z');
    await expectSoon(() => countsOf(workspace), { new: 4, seen: 0, kept: 0, dismissed: 0 });
    await cards(page).nth(3).waitFor();
  });

  it('keeps labels and a note, and finds mentions by a label', async () => {
    const { page } = await withMentions(3, '/mentions');
    await cards(page).nth(2).waitFor();
    await page.keyboard.press('x');
    await page.getByLabel('Add a label').fill('for the report');
    await page.keyboard.press('Enter');
    await cards(page).first().getByText('for the report').waitFor();
    await cards(page).first().getByRole('button', { name: 'Note' }).click();
    await focused(cards(page).first().getByRole('textbox', { name: 'Note' }));
    await page.keyboard.type('Ask the author');
    await page.getByRole('button', { name: 'Save the note' }).click();
    await page.getByLabel('Label', { exact: true }).selectOption('for the report');
    await page.waitForURL(/label=for/);
    await page.reload();
    await cards(page).getByText('Ask the author').waitFor();
    await expectSoon(() => cards(page).count(), 1);
  });

  it('filters by sentiment and counts new mentions in the navigation', async () => {
    const { page } = await withMentions(21, '/mentions');
    await page.getByRole('link', { name: 'Mentions 21 new' }).waitFor();
    await page.getByLabel('Sentiment', { exact: true }).selectOption('Positive');
    await expectSoon(() => cards(page).count(), 8);
    await page.keyboard.press('e');
    await page.getByRole('link', { name: 'Mentions 20 new' }).waitFor();
  });

  it('shows the post and the forum of a comment, and leads to it', async () => {
    const { service } = dashboard;
    const workspace = await service.createWorkspace();
    const { workspaceId } = workspace;
    const post = aPost(1, { title: 'Which charger?', forum: 'gadgets' });
    const comments = [aComment(1, { postId: post.id, body: 'Any battery will do.' })];
    await service
      .get(AlertsService)
      .create(workspaceId, { name: 'Batteries', keywords: ['battery'], of: 'comments' });
    await service.get(TransactionRunner).run(async (tx) => {
      await service.get(PostsRepository).upsert(workspaceId, [post], tx);
      await service.get(CommentsRepository).upsert(workspaceId, comments, tx);
      await service.get(AlertMatchingService).matchBatch(workspaceId, JOB, { posts: [], comments }, null, tx);
    });
    const { page } = await dashboard.signedIn('/', workspace);
    const newest = page.getByRole('region', { name: 'Newest mentions' });
    await newest.getByText('Comment on “Which charger?”').waitFor();
    await newest.getByText('gadgets').waitFor();
    await page.getByRole('link', { name: 'All mentions' }).click();
    await cards(page).getByText('gadgets').waitFor();
    await cards(page).getByRole('link', { name: 'Comment on “Which charger?”' }).click();
    await page.waitForURL(/\/posts\/t3_000001#t1_000001/);
  });

  it('is triaged on a phone by swiping, which can be taken back', async () => {
    const { page, workspace } = await withMentions(3, '/mentions');
    await page.setViewportSize({ width: 390, height: 844 });
    await cards(page).nth(2).waitFor();
    const touch = await page.context().newCDPSession(page);
    const swipe = async (by: number): Promise<void> => {
      const box = (await cards(page).first().boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + 20];
      const at = (moved: number) => ({ touchPoints: [{ x: x + moved, y }] });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(0) });
      for (let step = 1; step <= 8; step += 1)
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at((by * step) / 8) });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    await swipe(40);
    await swipe(150);
    await expectSoon(() => countsOf(workspace), { new: 2, seen: 1, kept: 0, dismissed: 0 });
    await page.getByText('1 mention: Done').waitFor();
    await swipe(-150);
    await expectSoon(() => countsOf(workspace), { new: 1, seen: 1, kept: 1, dismissed: 0 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectSoon(() => countsOf(workspace), { new: 2, seen: 1, kept: 0, dismissed: 0 });
  });

  it('is counted on the page of alerts, which leads to it', async () => {
    const { page } = await withMentions(3, '/mentions');
    await cards(page).nth(2).waitFor();
    await page.keyboard.press('e');
    await page.getByText('1 mention: Done').waitFor();
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('link', { name: '3 mentions, 2 new' }).click();
    await page.waitForURL(/mentions\?alert=alert_/);
    await expectSoon(() => cards(page).count(), 3);
  });

  it('shows no filters where nothing can be found yet', async () => {
    const { page, workspace } = await dashboard.signedIn('/mentions');
    await page.getByText('No alerts yet.').waitFor();
    await expectSoon(() => page.getByRole('combobox', { name: 'Sentiment' }).count(), 0);
    await dashboard.service
      .get(AlertsService)
      .create(workspace.workspaceId, { name: 'Batteries', keywords: ['battery'] });
    await page.reload();
    await page.getByRole('combobox', { name: 'Alert' }).waitFor();
  });

  it('opens the thread of the marked mention by a key', async () => {
    const { page } = await withMentions(3, '/mentions');
    const title = await cards(page)
      .nth(1)
      .getByRole('link', { name: /^Post \d+ about/ })
      .innerText();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/posts\/t3_/);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  });

  it('leaves keys to fields, and the navigation its own keys', async () => {
    const { page, workspace } = await withMentions(2, '/mentions');
    await cards(page).nth(1).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Exports' }).waitFor();
    expect(await countsOf(workspace)).toMatchObject({ new: 2 });
  });
});
