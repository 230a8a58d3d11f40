import { type Sandbox, startSandbox } from '../../src/sandbox/server/sandbox.js';
import { startTestApplication } from '../support/application.js';
import { scrapingFrom } from '../support/sandbox.js';
import { call } from '../support/client.js';
import { choose, Dashboard, expectSoon, focused, typeCommand } from './browser.js';

describe('schedules in the dashboard', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  const dashboard = new Dashboard(() => startTestApplication(scrapingFrom(sandbox.baseUrl)));
  afterAll(() => sandbox.close());

  it('creates a weekly schedule by keyboard alone, in the time zone of the reader', async () => {
    const { page, workspace } = await dashboard.signedIn('/schedules');
    await page.getByText('No schedules yet.').waitFor();
    await typeCommand(page, 'create a schedule');
    await page.keyboard.press('Enter');
    await focused(page.getByLabel('Forum or user name'));
    await page.keyboard.type('technology');
    await page.getByLabel('Repeat').focus();
    await page.keyboard.type('Every week');
    await page.getByRole('button', { name: 'Friday' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Monday' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Next, in your time zone: Fri').waitFor();
    await page.getByLabel('Forum or user name').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(/Every Friday at 0?9:00/).waitFor();
    expect(await call(dashboard.service, workspace, 'GET', '/schedules')).toMatchObject([
      {
        target: 'technology',
        cron_expression: '0 9 * * 5',
        mode: 'monitor',
        config: { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, limit: 100, overlap: 'skip' },
      },
    ]);
  });

  it('pauses, resumes, changes, runs and deletes a schedule with the mouse', async () => {
    const { page, workspace } = await dashboard.signedIn('/settings');
    await call(dashboard.service, workspace, 'POST', '/schedules', {
      target: 'technology',
      cron_expression: '15 * * * *',
      config: { limit: 5, note: 'kept' },
    });
    await page.getByRole('link', { name: 'Schedules' }).click();
    await page.getByText('Every hour at minute 15').waitFor();
    await choose(page, 'Pause', 'technology');
    await page.getByText('Paused').waitFor();
    await choose(page, 'Resume', 'technology');
    await page.getByText('Active', { exact: true }).waitFor();

    await choose(page, 'Edit', 'technology');
    await page.getByLabel('Repeat').selectOption('Every few minutes');
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Every 15 minutes').waitFor();
    expect(await call(dashboard.service, workspace, 'GET', '/schedules')).toMatchObject([
      { config: { limit: 5, note: 'kept', timezone: 'America/New_York' } },
    ]);

    await choose(page, 'Run now', 'technology');
    await page.getByText('The job reached its maximum number of posts.').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Runs: technology' }).click();
    await page.getByText('manual').waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('Completed').waitFor();
    const nextRuns = page.getByRole('region', { name: 'Next runs' }).getByRole('listitem');
    await expectSoon(() => nextRuns.count(), 5);

    await choose(page, 'Delete', 'technology');
    await page.getByText('No schedules yet.').waitFor();
  });
});
