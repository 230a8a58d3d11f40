import { call } from '../support/client.js';
import { Dashboard, expectSoon } from './browser.js';

describe('the forms of the dashboard', () => {
  const dashboard = new Dashboard();

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
    await expectSoon(() => field.inputValue(), 'someone');
    await expectSoon(() => page.getByLabel('Type', { exact: true }).inputValue(), 'user');
  });

  it('leave the buttons of an alert beside a long name', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const name = 'A name that says exactly what this alert is for and then some more '.repeat(3).trim();
    await call(dashboard.service, workspace, 'POST', '/alerts', { name, keywords: ['battery'] });
    const { page } = await dashboard.signedIn('/alerts', workspace);
    const [title, button] = await Promise.all([
      page.getByRole('link', { name }).boundingBox(),
      page.getByLabel(/^Actions: /).boundingBox(),
    ]);
    expect(button!.y).toBeLessThan(title!.y + title!.height);
    expect(button!.x + button!.width).toBeLessThanOrEqual(1280);
  });
});
