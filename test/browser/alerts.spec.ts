import type { Page } from 'playwright-core';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { verified } from '../support/webhook-reading.js';
import { Dashboard, violationsInAllViews } from './browser.js';

describe('alerts in the dashboard', () => {
  const dashboard = new Dashboard(() =>
    startTestApplication({ ROLES: 'api,worker', OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8' }),
  );
  let receiver: HttpReceiver;

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
  });
  afterAll(() => receiver.close());

  async function withAlert(): Promise<{ page: Page; workspace: TestWorkspace }> {
    const workspace = await dashboard.service.createWorkspace();
    await storePosts(dashboard.service, workspace.workspaceId, [aPost(1), aPost(2)]);
    await call(dashboard.service, workspace, 'POST', '/alerts', {
      name: 'Batteries',
      keywords: ['batteries'],
      channel: 'webhook',
      channel_config: {
        webhook_url: receiver.url,
        secret: 'the first secret of more than 24 bytes',
        note: 'kept as sent',
      },
    });
    const { page } = await dashboard.signedIn('/alerts', workspace);
    await page.getByRole('heading', { name: 'Batteries' }).waitFor();
    return { page, workspace };
  }

  it('tests the channel of an alert with the mouse and shows the delivery', async () => {
    const { page } = await withAlert();
    await page.getByRole('button', { name: 'Test: Batteries' }).click();
    const [sent] = await receiver.received(1);
    expect(verified(sent!, 'the first secret of more than 24 bytes')).toMatchObject({ type: 'alert.test' });
    await page.getByText('HTTP 200').waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText('1. Delivered').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
  });

  it('changes an alert by keyboard alone, and keeps the secret that was not typed', async () => {
    const { page, workspace } = await withAlert();
    await page.getByRole('button', { name: 'Edit: Batteries' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 of the newest 2 posts match.').waitFor();
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
    expect(await call(dashboard.service, workspace, 'GET', '/alerts')).toMatchObject([
      {
        name: 'Batteries and fuel',
        keywords: ['batteries', 'fuel cell'],
        forums: ['technology', 'science'],
        channel: 'webhook',
        channel_config: { webhook_url: receiver.url, note: 'kept as sent' },
      },
    ]);
    const before = receiver.all.length;
    await page.getByRole('button', { name: 'Test: Batteries and fuel' }).focus();
    await page.keyboard.press('Enter');
    const sent = (await receiver.received(before + 1)).at(-1);
    expect(verified(sent!, 'the first secret of more than 24 bytes')).toMatchObject({
      data: { name: 'Batteries and fuel' },
    });
  });

  it('shows twelve of many keywords, and all of them on demand', async () => {
    const { page, workspace } = await withAlert();
    const keywords = Array.from({ length: 40 }, (_, number) => `keyword ${number}`);
    await call(dashboard.service, workspace, 'POST', '/alerts', { name: 'Many', keywords });
    await page.reload();
    await page.getByText('keyword 11 ').waitFor();
    expect(await page.getByText('keyword 12').count()).toBe(0);
    await page.getByRole('button', { name: 'and 28 more' }).click();
    await page.getByText('keyword 39').waitFor();
  });

  it('stops signing for an alert with the mouse', async () => {
    const { page } = await withAlert();
    const before = receiver.all.length;
    await page.getByRole('button', { name: 'Edit: Batteries' }).click();
    await page.getByLabel('Send without a signature').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test: Batteries' }).click();
    const sent = (await receiver.received(before + 1)).at(-1);
    expect(sent!.headers['webhook-signature']).toBeUndefined();
  });

  it('shows at the field, once, which keyword is refused', async () => {
    const { page } = await withAlert();
    await page.getByRole('button', { name: 'Edit: Batteries' }).click();
    await page.getByLabel('Keywords').fill('battery\n...');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Entry 2 must contain a letter, a digit or an emoji', { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('moves an alert to another channel and requests its address', async () => {
    const { page, workspace } = await withAlert();
    await page.getByRole('button', { name: 'Edit: Batteries' }).click();
    await page.getByLabel('Send to', { exact: true }).selectOption('Email');
    await page.getByLabel('Email address').fill('me@example.com, you@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await call(dashboard.service, workspace, 'GET', '/alerts')).toMatchObject([
      { channel: 'email', channel_config: { to: ['me@example.com', 'you@example.com'] } },
    ]);
  });
});
