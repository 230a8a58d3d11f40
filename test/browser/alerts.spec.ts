import type { Page } from 'playwright-core';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { verified } from '../support/webhook-reading.js';
import { choose, chooseByKey, Dashboard, expectSoon, focused, violationsInAllViews } from './browser.js';

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
    await page.getByRole('link', { name: 'Batteries', exact: true }).waitFor();
    return { page, workspace };
  }

  it('offers the stored forums and those of the sources where it asks for forums', async () => {
    const workspace = await dashboard.service.createWorkspace();
    await storePosts(dashboard.service, workspace.workspaceId, [aPost(1), aPost(3)]);
    const { page } = await dashboard.signedIn('/alerts?create=yes', workspace);
    await page.locator('summary', { hasText: 'Where to look' }).click();
    await page.getByLabel('Only in these forums').fill('science, pro');
    for (const name of ['Technology', 'programming', 'hn:ask'])
      await page.locator(`datalist option[value="science, ${name}"]`).waitFor({ state: 'attached' });
  });

  it('tests the channel of an alert with the mouse and shows the delivery', async () => {
    const { page } = await withAlert();
    await choose(page, 'Test', 'Batteries');
    const [sent] = await receiver.received(1);
    expect(verified(sent!, 'the first secret of more than 24 bytes')).toMatchObject({ type: 'alert.test' });
    await page.getByText('HTTP 200').waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText('1. Delivered').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
  });

  it('changes an alert by keyboard alone, and keeps the secret that was not typed', async () => {
    const { page, workspace } = await withAlert();
    await chooseByKey(page, 'Edit', 'Batteries');
    await page.getByText('2 of the newest 2 posts match.').waitFor();
    await focused(page.getByLabel('Look for'));
    await page.keyboard.type('"heat pump" -gas');
    await page.getByLabel('Name').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Batteries and fuel');
    await page.getByLabel('Or any of these keywords').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nfuel cell');
    await page.locator('summary', { hasText: 'Where to look' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Only in these forums').focus();
    await page.keyboard.type('technology, science');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Batteries and fuel' }).waitFor();
    await page.getByText('"heat pump" -gas, batteries, fuel cell').waitFor();
    expect(await call(dashboard.service, workspace, 'GET', '/alerts?view=full')).toMatchObject([
      {
        name: 'Batteries and fuel',
        query: '"heat pump" -gas',
        of: 'posts',
        delivery: null,
        keywords: ['batteries', 'fuel cell'],
        forums: ['technology', 'science'],
        channel: 'webhook',
        channel_config: { webhook_url: receiver.url, note: 'kept as sent' },
      },
    ]);
    const before = receiver.all.length;
    await chooseByKey(page, 'Test', 'Batteries and fuel');
    const sent = (await receiver.received(before + 1)).at(-1);
    expect(verified(sent!, 'the first secret of more than 24 bytes')).toMatchObject({
      data: { name: 'Batteries and fuel' },
    });
  });

  it('stops signing for an alert with the mouse', async () => {
    const { page } = await withAlert();
    const before = receiver.all.length;
    await choose(page, 'Edit', 'Batteries');
    await page.getByLabel('Send without a signature').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(page, 'Test', 'Batteries');
    const sent = (await receiver.received(before + 1)).at(-1);
    expect(sent!.headers['webhook-signature']).toBeUndefined();
  });

  it('sends a digest at a chosen time, by keyboard alone', async () => {
    const { page, workspace } = await withAlert();
    await chooseByKey(page, 'Edit', 'Batteries');
    await focused(page.getByLabel('Look for'));
    await page.locator('summary', { hasText: 'When to notify' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Notify', { exact: true }).focus();
    await page.keyboard.type('Once a week');
    await page.getByLabel('On', { exact: true }).selectOption('Friday');
    await page.getByLabel('At', { exact: true }).fill('07:30');
    await page.getByLabel('Quiet from').fill('22:00');
    await page.getByLabel('Quiet until').fill('06:00');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    expect(await violationsInAllViews(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await call(dashboard.service, workspace, 'GET', '/alerts?view=full')).toMatchObject([
      {
        delivery: {
          every: 'week',
          at: '07:30',
          weekday: 'friday',
          timezone: 'Europe/Berlin',
          quiet: { from: '22:00', to: '06:00' },
        },
      },
    ]);
  });

  it('never shows a channel as healthy that fails, or that cannot send', async () => {
    const { page, workspace } = await withAlert();
    await call(dashboard.service, workspace, 'POST', '/alerts', {
      name: 'By email',
      keywords: ['batteries'],
      channel_config: { to: ['me@example.com'] },
    });
    receiver.answerWith({ status: 410 });
    await choose(page, 'Test', 'Batteries');
    await page.getByText('The last delivery failed').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('img', { name: 'Last 1 deliveries: 1 failed' }).waitFor();
    await page.reload();
    await page.getByText('Cannot be sent').waitFor();
    await page.getByText('no mail server is configured').waitFor();
    await page.getByText('The last delivery failed').waitFor();
    expect(await page.getByText('Active', { exact: true }).count()).toBe(0);
    receiver.answerWith({});
  });

  it('moves an alert to another channel and requests its address', async () => {
    const { page, workspace } = await withAlert();
    await choose(page, 'Edit', 'Batteries');
    await page.getByLabel('Send to', { exact: true }).selectOption('Slack');
    await page.getByLabel('Destination URL').fill('http://127.0.0.1:9/hook');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await call(dashboard.service, workspace, 'GET', '/alerts')).toMatchObject([
      { channel: 'slack', channel_config: { webhook_url: 'http://127.0.0.1:9/hook' } },
    ]);
  });

  it('pauses and deletes several alerts at once, and takes a deletion back', async () => {
    const { page, workspace } = await withAlert();
    for (const name of ['Chargers', 'Updates'])
      await call(dashboard.service, workspace, 'POST', '/alerts', { name, keywords: ['x'] });
    const stored = async () =>
      (await call<{ name: string; is_active: boolean }[]>(dashboard.service, workspace, 'GET', '/alerts'))
        .map(({ name, is_active }) => `${name} ${is_active}`)
        .sort();
    await page.reload();
    for (const name of ['Chargers', 'Updates']) await page.getByLabel(`Select: ${name}`).check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await expectSoon(stored, ['Batteries true', 'Chargers false', 'Updates false']);

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('link', { name: 'Chargers' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Chargers' }).waitFor();
    await choose(page, 'Delete', 'Updates');
    await page.getByRole('link', { name: 'Updates' }).waitFor({ state: 'detached' });
    // Leaving the page does not wait.
    await page.goto('about:blank');
    await expectSoon(stored, ['Batteries true', 'Chargers false']);
  });
});
