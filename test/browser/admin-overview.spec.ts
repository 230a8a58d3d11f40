import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { call } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { ADMIN_TOKEN, expectSoon, operatorDashboard, violationsInAllViews } from './browser.js';

describe("the operator's overview", () => {
  const dashboard = operatorDashboard();
  const operator = (path: string) => dashboard.operator(path);

  it('shows the state of the service, and retries a job by keyboard alone', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/jobs', {
      target: 'technology',
    });
    await call(dashboard.service, workspace, 'DELETE', `/jobs/${id}`);
    const page = await operator('/admin/overview');
    await page.getByRole('row', { name: /Deliveries/ }).waitFor();
    await expectSoon(() => page.getByText('OK', { exact: true }).count(), 2);
    await page.getByLabel('Job ID').focus();
    await page.keyboard.type(id);
    await page.keyboard.press('Enter');
    await page.getByText('The job is queued again.').waitFor();
  });

  it('shows what ended in the last day, and retries a failed job in its row', async () => {
    const { service } = dashboard;
    const workspace = await service.createWorkspace();
    await service.get(DataSource).query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
                         status, completed_at, error_message)
       VALUES ($1, $2, 'technology', 'forum', 'full', 5, false, false, 'failed', now(), 'The platform is away')`,
      [workspace.workspaceId, randomUUID()],
    );
    const page = await operator('/admin/overview');
    const day = page.getByRole('region', { name: 'Last 24 hours' });
    await day.getByRole('heading', { name: 'Jobs failed' }).waitFor();
    await expectSoon(() => day.locator('rect').count(), 4 * 24);
    const row = page.getByRole('row', { name: /The platform is away/ });
    await row.getByRole('link').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
    await row.getByRole('button', { name: 'Retry now: technology' }).click();
    await page.getByText('The job is queued again.').waitFor();
    await row.waitFor({ state: 'detached' });
  });

  it('closes the circuit of a destination that responds again, with the mouse', async () => {
    let status = 503;
    const receiver = await HttpReceiver.start(() => ({ status }));
    try {
      const workspace = await dashboard.service.createWorkspace();
      const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/webhooks', {
        url: receiver.url,
      });
      const page = await operator('/admin/overview');
      await page.getByText('All destinations are responding.').waitFor();
      await call(dashboard.service, workspace, 'POST', `/webhooks/${id}/test`);
      const circuit = page.getByRole('row', { name: `Webhook ${new URL(receiver.url).host}` });
      await circuit.getByRole('cell', { name: /^in \d/ }).waitFor();
      status = 200;
      await circuit.getByRole('button', { name: 'Retry now' }).click();
      await page.getByText('All destinations are responding.').waitFor();
    } finally {
      await receiver.close();
    }
  });

  it('counts down to the next attempt of open circuits, until it is due', async () => {
    const circuit = (name: string, nextAttemptAt: number | null) => ({
      id: `alert_${name}`,
      name,
      workspace_id: 'ws_1',
      kind: 'alert',
      failures: 5,
      next_attempt_at: nextAttemptAt === null ? null : new Date(nextAttemptAt).toISOString(),
    });
    const answer = await fetch(`${dashboard.service.url}/api/v1/admin/overview`, {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    const overview = (await answer.json()) as object;
    const { page } = await dashboard.visit('/admin');
    await page.clock.install();
    const now = await page.evaluate<number>('Date.now()');
    const destinations = [circuit('soon', now + 120_000), circuit('passed', now - 1), circuit('idle', null)];
    await page.route('**/admin/overview', (route) => route.fulfill({ json: { ...overview, destinations } }));
    await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    const next = (name: string) =>
      page
        .getByRole('row', { name: `Alert ${name}` })
        .getByRole('cell')
        .nth(3);
    await next('soon').getByText('in 2 minutes').waitFor();
    await next('passed').getByText('due', { exact: true }).waitFor();
    await next('idle').getByText('–').waitFor();
    await page.clock.fastForward(120_000);
    await next('soon').getByText('due', { exact: true }).waitFor();
  });
});
