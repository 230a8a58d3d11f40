import type { Locator, Page } from 'playwright-core';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { verified } from '../support/webhook-reading.js';
import { Dashboard, focused, readAndClose, typeCommand } from './browser.js';

describe('webhooks in the dashboard', () => {
  const dashboard = new Dashboard(() =>
    startTestApplication({ ROLES: 'api,worker', OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8' }),
  );
  let receiver: HttpReceiver;

  beforeEach(async () => {
    receiver = await HttpReceiver.start();
  });
  afterEach(() => receiver.close());

  it('creates a webhook by keyboard and shows its secret once', async () => {
    const { page } = await dashboard.signedIn('/webhooks');
    await page.getByText('No webhooks yet.').waitFor();
    await typeCommand(page, 'create a webhook');
    await page.keyboard.press('Enter');
    await focused(page.getByLabel('URL'));
    await page.keyboard.type(receiver.url);
    await page.keyboard.press('Enter');
    const shown = page.getByRole('textbox', { name: 'The signing secret' });
    await focused(shown);
    const secret = await shown.inputValue();
    await page.getByRole('button', { name: 'Done' }).focus();
    await page.keyboard.press('Enter');
    const link = page.getByRole('link', { name: receiver.url });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send a test event' }).focus();
    await page.keyboard.press('Enter');
    const [sent] = await receiver.received(1);
    expect(verified(sent!, secret)).toMatchObject({ type: 'webhook.test' });
    await page.getByText('HTTP 200').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('creates a webhook with a given secret, which is not shown, and replaces it', async () => {
    const { page } = await dashboard.signedIn('/webhooks?create=yes');
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('Signature').selectOption('Use my own secret');
    await page.getByLabel('Your signing secret').fill('known to my program alone, 32 bytes');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    const [first] = await receiver.received(1);
    expect(verified(first!, 'known to my program alone, 32 bytes')).toMatchObject({ type: 'webhook.test' });
    expect(await page.content()).not.toContain('known to my program alone, 32 bytes');

    await page.getByRole('button', { name: 'Change the secret' }).click();
    await page.getByLabel('Signature').selectOption('Use my own secret');
    await page.getByLabel('Your signing secret').fill('a short one');
    await page.getByText('Short secrets can be guessed.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Change the secret' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send a test event' }).click();
    const sent = await receiver.received(2);
    expect(verified(sent[1]!, 'a short one')).toMatchObject({ type: 'webhook.test' });
  });

  it('turns the signatures of a webhook on and off by keyboard', async () => {
    const { page } = await dashboard.signedIn('/webhooks?create=yes');
    const choose = async (signature: string): Promise<void> => {
      await page.getByLabel('Signature').focus();
      await page.keyboard.type(signature);
    };
    const press = async (name: string, place: Page | Locator = page): Promise<void> => {
      await place.getByRole('button', { name, exact: true, disabled: false }).focus();
      await page.keyboard.press('Enter');
    };
    const dialog = page.getByRole('dialog');
    let sent = 0;
    const signatureOfTest = async (): Promise<unknown> => {
      await press('Send a test event');
      sent += 1;
      return (await receiver.received(sent)).at(-1)!.headers['webhook-signature'];
    };
    await focused(page.getByLabel('URL'));
    await page.keyboard.type(receiver.url);
    await choose('None');
    await press('Create', dialog);
    await page.getByRole('link', { name: receiver.url }).focus();
    await page.keyboard.press('Enter');
    expect(await signatureOfTest()).toBeUndefined();

    await press('Change the secret');
    await focused(page.getByLabel('Signature'));
    await press('Change the secret', dialog);
    await readAndClose(page.getByRole('textbox', { name: 'The signing secret' }));
    await dialog.waitFor({ state: 'detached' });
    expect(await signatureOfTest()).toMatch(/^v1,/);

    await press('Change the secret');
    await focused(page.getByLabel('Signature'));
    await choose('None');
    await press('Change the secret', dialog);
    await dialog.waitFor({ state: 'detached' });
    expect(await signatureOfTest()).toBeUndefined();
  });

  it('shows the attempts and payload of a delivery, and sends it again', async () => {
    const { page, workspace } = await dashboard.blank();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/webhooks', {
      url: receiver.url,
    });
    await call(dashboard.service, workspace, 'POST', `/webhooks/${id}/test`);
    await page.goto(`/webhooks/${id}`);
    await page.getByText('HTTP 200').waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText('1. Delivered').waitFor();
    const payload = await page.getByLabel('Payload').innerText();
    expect(JSON.parse(payload)).toEqual(JSON.parse(receiver.all[0]!.body));
    await page.getByRole('button', { name: 'Send again' }).click();
    await receiver.received(2);
    await page.getByText('2. Delivered').waitFor();
    await page.reload();
    const days = page.getByRole('group', { name: 'Deliveries by day' });
    await days.getByText('1 delivered in 14 days').waitFor();
  });

  it('aligns the fields of deliveries on a narrow screen', async () => {
    const { page, workspace } = await dashboard.blank();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/webhooks', {
      url: receiver.url,
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/webhooks/${id}`);
    const left = async (label: string): Promise<number> => (await page.getByLabel(label).boundingBox())!.x;
    await page.getByLabel('Failed since').waitFor();
    expect(await left('Failed since')).toBe(await left('Delivery status'));
  });

  it('says that a delivery waits for its turn when its next attempt is overdue', async () => {
    const { page, workspace } = await dashboard.blank();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/webhooks', {
      url: receiver.url,
    });
    await call(dashboard.service, workspace, 'POST', `/webhooks/${id}/test`);
    await receiver.received(1);
    let nextAttempt = Date.now() + 3_600_000;
    await page.route('**/deliveries?*', async (route) => {
      const answer = await route.fetch();
      const { deliveries, ...rest } = (await answer.json()) as { deliveries: object[] };
      const waiting = { status: 'pending', next_attempt_at: new Date(nextAttempt).toISOString() };
      await route.fulfill({
        json: { ...rest, deliveries: deliveries.map((one) => ({ ...one, ...waiting })) },
      });
    });
    await page.goto(`/webhooks/${id}`);
    await page.getByText('next attempt in 1 hour').waitFor();
    nextAttempt = Date.now() - 38_000;
    await page.getByText('next attempt due now, queued').waitFor();
  });

  it('replaces the secret, changes, pauses and deletes a webhook', async () => {
    const { page, workspace } = await dashboard.blank();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/webhooks', {
      url: receiver.url,
      secret: 'the first secret of more than 24 bytes',
    });
    await page.goto(`/webhooks/${id}`);
    await page.getByRole('button', { name: 'Change the secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change the secret' }).click();
    const secret = await page.getByRole('textbox', { name: 'The signing secret' }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    await call(dashboard.service, workspace, 'POST', `/webhooks/${id}/test`);
    const [sent] = await receiver.received(1);
    expect(verified(sent!, secret)).toMatchObject({ type: 'webhook.test' });
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel(/Export completed/).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Job completed, Export completed').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet.').waitFor();
  });
});
