import type { Browser, Page } from 'playwright-core';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { verified } from '../support/webhook-reading.js';
import { signIn, startBrowser, violationsInAllViews, visit } from './browser.js';

describe('alerts in the dashboard', () => {
  let browser: Browser;
  let service: TestApplication;
  let receiver: HttpReceiver;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'api,worker', OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8' });
    browser = await startBrowser();
    receiver = await HttpReceiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await browser.close();
    await service.close();
  });

  async function withAlert(): Promise<{ page: Page; workspace: TestWorkspace }> {
    const workspace = await service.createWorkspace();
    await storePosts(service, workspace.workspaceId, [aPost(1), aPost(2)]);
    await call(service, workspace, 'POST', '/alerts', {
      name: 'Batteries',
      keywords: ['batteries'],
      channel: 'webhook',
      channel_config: { webhook_url: receiver.url, secret: 'the first secret' },
    });
    const { page } = await visit(browser, service, '/alerts');
    await signIn(page, workspace.apiKey);
    await page.getByRole('heading', { name: 'Batteries' }).waitFor();
    return { page, workspace };
  }

  it('tests the channel of an alert with the mouse and shows the delivery', async () => {
    const { page } = await withAlert();
    await page.getByRole('button', { name: 'Test: Batteries' }).click();
    const [sent] = await receiver.received(1);
    expect(verified(sent!, 'the first secret')).toMatchObject({ type: 'alert.test' });
    await page.getByText('Answer 200').waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText('1. Delivered').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
  });

  it('changes an alert by keyboard alone, and keeps the secret that was not typed', async () => {
    const { page, workspace } = await withAlert();
    await page.getByRole('button', { name: 'Edit: Batteries' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 of the newest 2 posts.').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Batteries and fuel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nfuel cell');
    await page.keyboard.press('Tab');
    await page.keyboard.type('technology, science');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Batteries and fuel' }).waitFor();
    await page.getByText('batteries, fuel cell').waitFor();
    expect(await call(service, workspace, 'GET', '/alerts')).toMatchObject([
      {
        name: 'Batteries and fuel',
        keywords: ['batteries', 'fuel cell'],
        forums: ['technology', 'science'],
        channel: 'webhook',
        channel_config: { webhook_url: receiver.url },
      },
    ]);
    const before = receiver.all.length;
    await page.getByRole('button', { name: 'Test: Batteries and fuel' }).focus();
    await page.keyboard.press('Enter');
    const sent = (await receiver.received(before + 1)).at(-1);
    expect(verified(sent!, 'the first secret')).toMatchObject({ data: { name: 'Batteries and fuel' } });
  });

  it('moves an alert to another channel, whose address it asks for', async () => {
    const { page, workspace } = await withAlert();
    await page.getByRole('button', { name: 'Edit: Batteries' }).click();
    await page.getByLabel('Send to', { exact: true }).selectOption('E-mail');
    await page.getByLabel('E-mail address').fill('me@example.com, you@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await call(service, workspace, 'GET', '/alerts')).toMatchObject([
      { channel: 'email', channel_config: { to: ['me@example.com', 'you@example.com'] } },
    ]);
  });
});
