import { call } from '../support/client.js';
import { Dashboard, expectSoon, focused } from './browser.js';

describe('the forms of the dashboard', () => {
  const dashboard = new Dashboard();

  it('say in their own words what is missing or out of range, before anything is sent', async () => {
    const { page } = await dashboard.signedIn('/jobs?create=yes');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.getByLabel('Maximum posts').fill('0');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Fill in this field.').waitFor();
    await page.getByText('Enter a number from 1 to 10000.').waitFor();
    await focused(page.getByLabel('Forum or user name'));
    await page.keyboard.type('technology');
    await page.getByText('Fill in this field.').waitFor({ state: 'detached' });
    expect(sent).toEqual([]);
  });

  it.each([
    ['/jobs', 'Start a scrape'],
    ['/schedules', 'Create a schedule'],
  ])('keep the input of %s when its dialog is left by Escape', async (path, open) => {
    const { page } = await dashboard.signedIn(path);
    const field = page.getByLabel('Forum or user name');
    await page.getByRole('button', { name: open }).click();
    await focused(field);
    await page.keyboard.type('technology');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: open }).click();
    await page.getByText('Your input from before is still here.').waitFor();
    expect(await field.inputValue()).toBe('technology');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: open }).click();
    await focused(field);
    expect(await field.inputValue()).toBe('');
  });

  it.each([
    ['/alerts', 'Create an alert', 'Name'],
    ['/webhooks', 'Create a webhook', 'URL'],
    ['/exports', 'Create an export', 'Search words'],
    ['/settings', 'Create an API key', 'Name'],
  ])('keep the input of %s, too', async (path, open, label) => {
    const { page } = await dashboard.signedIn(path);
    const field = page.getByRole('dialog').getByLabel(label, { exact: true });
    await page.getByRole('button', { name: open }).click();
    await field.fill('kept');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: open }).click();
    await page.getByText('Your input from before is still here.').waitFor();
    expect(await field.inputValue()).toBe('kept');
  });

  it.each([
    ['/jobs?create=yes', 'Start'],
    ['/schedules?create=yes', 'Create'],
  ])('show the buttons of %s within the window, also unfolded', async (path, submit) => {
    const { page } = await dashboard.signedIn(path);
    await page.setViewportSize({ width: 1440, height: 900 });
    const button = page.getByRole('dialog').getByRole('button', { name: submit, exact: true });
    for (const height of [900, 600]) {
      await page.setViewportSize({ width: 1440, height });
      await page.getByText('More settings').click();
      const box = await button.boundingBox();
      expect(box!.y + box!.height).toBeLessThanOrEqual(height);
    }
  });

  it('recognise the pasted address of a forum or a user', async () => {
    const { page } = await dashboard.signedIn('/jobs?create=yes');
    const field = page.getByLabel('Forum or user name');
    await field.fill('https://www.reddit.com/user/someone/');
    await page.getByText('Recognised:').waitFor();
    expect(await field.inputValue()).toBe('someone');
    await expectSoon(() => page.getByLabel('Type', { exact: true }).inputValue(), 'user');
  });

  it('leave the buttons of an alert beside a long name', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const name = 'A name that says exactly what this alert is for and then some more '.repeat(3).trim();
    await call(dashboard.service, workspace, 'POST', '/alerts', { name, keywords: ['battery'] });
    const { page } = await dashboard.signedIn('/alerts', workspace);
    const [title, button] = await Promise.all([
      page.getByRole('heading', { name }).boundingBox(),
      page.getByLabel(/^Actions: /).boundingBox(),
    ]);
    expect(button!.y).toBeLessThan(title!.y + title!.height);
    expect(button!.x + button!.width).toBeLessThanOrEqual(1280);
  });
});
