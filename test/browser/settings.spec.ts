import { call, requestAs } from '../support/client.js';
import {
  Dashboard,
  expectSoon,
  focused,
  readAndClose,
  typeCommand,
  violationsInAllViews,
} from './browser.js';

interface Key {
  name: string;
  key_prefix: string;
  expires_at: string | null;
}

describe('the settings of the dashboard', () => {
  const dashboard = new Dashboard();

  it('creates a key that expires, and replaces it by keyboard alone', async () => {
    const { page, workspace } = await dashboard.signedIn('/settings?create=yes');
    await focused(page.getByLabel('Name'));
    await page.keyboard.type('Nightly export');
    await page.getByLabel('Expires', { exact: true }).focus();
    await page.keyboard.type('After 30');
    await page.getByRole('button', { name: 'Create', exact: true }).focus();
    await page.keyboard.press('Enter');
    const first = await readAndClose(page.getByLabel('The new API key'));
    await page.getByRole('button', { name: 'Replace the key Nightly export' }).press('Enter');
    await focused(page.getByLabel('The old key stops working'));
    await page.keyboard.type('Immediately');
    await page.getByRole('button', { name: 'Replace', exact: true }).focus();
    await page.keyboard.press('Enter');
    const second = await readAndClose(page.getByLabel('The new API key'));
    await page.getByText(`${second.slice(0, 11)}…`).waitFor();
    expect(await page.content()).not.toContain(second);
    const codes = await Promise.all(
      [first, second].map(
        async (apiKey) =>
          (await requestAs(dashboard.service, { ...workspace, apiKey }, 'GET', '/jobs')).status,
      ),
    );
    expect(codes).toEqual([401, 200]);
    const keys = await call<Key[]>(dashboard.service, workspace, 'GET', '/api-keys?view=full');
    expect(
      keys.filter(({ name, expires_at }) => name === 'Nightly export' && expires_at === null),
    ).toHaveLength(1);
  });

  it('names the workspace, and briefly confirms that its id was copied', async () => {
    const { page } = await dashboard.signedIn('/settings');
    const panel = page.getByRole('region', { name: 'Workspace', exact: true });
    const name = await page.locator('header').getByRole('link').first().innerText();
    await panel.getByText(name, { exact: true }).waitFor();
    await page.context().grantPermissions(['clipboard-write']);
    await page.clock.install();
    await panel.getByRole('button', { name: 'Copy the ID' }).click();
    await panel.getByRole('button', { name: 'Copied' }).waitFor();
    await page.clock.fastForward(4_000);
    await panel.getByRole('button', { name: 'Copy the ID' }).waitFor();
  });

  it('creates a link that signs another browser in once', async () => {
    const { page } = await dashboard.signedIn('/settings');
    const workspace = page.getByRole('region', { name: 'Workspace' });
    await workspace.getByRole('button', { name: 'Create a sign-in link' }).click();
    const link = await page.getByRole('textbox', { name: 'The sign-in link' }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(link.split('#')[1]);
    const { page: other } = await dashboard.visit(link);
    // The link may come from somebody else, so the page asks first.
    await other.getByText('This link signs you in to a workspace.').waitFor();
    expect(other.url()).not.toContain('#');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { name: 'Collect your first posts' }).waitFor();
  });

  it('lists the signed-in browsers and ends their sessions', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const { page } = await dashboard.signedIn('/settings', workspace);
    const { page: other } = await dashboard.signedIn('/settings', workspace);
    await page.reload();
    const rows = page
      .getByRole('region', { name: 'Signed-in browsers and assistants' })
      .getByRole('listitem');
    await rows.nth(1).waitFor();
    await rows.filter({ hasNotText: 'this browser' }).getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await rows.nth(1).waitFor({ state: 'detached' });
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('Your session has ended.').waitFor();
  });

  it('shows owners who changed what, and finds it by keyboard', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/alerts', {
      name: 'Batteries',
      keywords: ['battery'],
    });
    await call(dashboard.service, workspace, 'PATCH', `/alerts/${id}`, {
      name: 'Chargers',
      query: 'charger',
    });
    await call(dashboard.service, workspace, 'POST', '/schedules', {
      target: 'news',
      cron_expression: '0 8 * * *',
    });
    const { page } = await dashboard.signedIn(`/alerts/${id}`, workspace);
    await page.getByRole('link', { name: /^changed by/ }).press('Enter');
    await page.getByText('search: nothing → “charger”').waitFor();
    await page.getByText('name: “Batteries” → “Chargers”').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search' }).fill('NEWS');
    await page.keyboard.press('Enter');
    await page.getByText('Created a schedule').and(page.locator('span')).waitFor();
    await page.getByRole('link', { name: 'Chargers' }).waitFor({ state: 'detached' });
  });

  it('shows a new API key once, and revokes it', async () => {
    const { page } = await dashboard.signedIn('/settings');
    await page.getByRole('button', { name: 'Create an API key' }).click();
    await focused(page.getByLabel('Name'));
    await page.keyboard.type('Nightly export');
    await page.keyboard.press('Enter');
    await focused(page.getByLabel('The new API key'));
    const key = await page.getByLabel('The new API key').inputValue();
    expect(key).toMatch(/^rp_\w{46}$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke the key Nightly export' }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Revoke the key Nightly export' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke the key Nightly export' }).waitFor({ state: 'detached' });
  });

  it.each([
    ['read', []],
    ['write', ['Start a scrape', 'Create a webhook']],
    ['admin', ['Start a scrape', 'Create a webhook', 'Create an API key']],
  ])('lists the commands that a key with the scope %s may run', async (scope, allowed) => {
    const workspace = await dashboard.service.createWorkspace();
    const { key } = await call<{ key: string }>(dashboard.service, workspace, 'POST', '/api-keys', {
      name: scope,
      scopes: [scope],
    });
    const { page } = await dashboard.signedIn('/settings', { ...workspace, apiKey: key });
    await typeCommand(page, '');
    await page.getByRole('option', { name: 'Go to settings' }).waitFor();
    const commands = page.getByRole('option', { name: /^(Start a|Create an API|Create a web)/ });
    await expectSoon(() => commands.allInnerTexts(), allowed);
  });
});
