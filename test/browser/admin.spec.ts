import { aPost, storePosts } from '../factories/posts.js';
import { call, requestAs } from '../support/client.js';
import {
  ADMIN_TOKEN,
  expectSoon,
  focused,
  loaded,
  operatorDashboard,
  readAndClose,
  signIn,
  violations,
  violationsInAllViews,
} from './browser.js';

describe('the admin console', () => {
  const dashboard = operatorDashboard();
  const operator = (path: string) => dashboard.operator(path);

  it('requests nothing that is refused before an operator signs in', async () => {
    const { page } = await dashboard.unopened();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    await page.goto('/admin/overview');
    await focused(page.getByLabel('Admin token'));
    expect(refused).toEqual([]);
  });

  it('refuses a wrong token, keeps no token in the page, and signs out', async () => {
    const { page } = await dashboard.visit('/admin');
    await page.getByLabel('Admin token').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the admin token of this service.').waitFor();
    await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.content()).not.toContain(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in as operator' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in as operator' }).waitFor();
  });

  it('does not open with the session of a workspace', async () => {
    const { page } = await dashboard.blank();
    await page.goto('/admin/workspaces');
    await page.getByRole('heading', { name: 'Sign in as operator' }).waitFor();
  });

  it('creates a workspace by keyboard and shows its first key once', async () => {
    const page = await operator('/admin/workspaces?create=yes');
    await focused(page.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.type('Made by an operator');
    await page.keyboard.press('Enter');
    const key = await readAndClose(page.getByRole('textbox', { name: 'First API key' }));
    await page.getByRole('link', { name: 'Made by an operator' }).waitFor();
    expect(await page.content()).not.toContain(key);
    const { page: other } = await dashboard.visit();
    await signIn(other, key);
    await other.getByText('Made by an operator').waitFor();
  });

  it('finds a workspace, suspends and resumes it, and changes a quota, with the mouse', async () => {
    const workspace = await dashboard.service.createWorkspace('Needle in the haystack');
    const page = await operator('/admin/workspaces');
    await page.getByLabel('Part of the name, or the ID').fill('needle');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('1 workspace', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Needle in the haystack' }).click();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Suspended').waitFor();
    const refused = await requestAs(dashboard.service, workspace, 'GET', '/jobs');
    expect(refused.body).toMatchObject({ code: 'workspace_suspended' });
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Active', { exact: true }).waitFor();

    await expectSoon(() => page.getByLabel('Schedules').getAttribute('placeholder'), 'Default: 1,000');
    await page.getByLabel('Schedules').fill('7');
    await page.getByRole('button', { name: 'Save the quotas' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByLabel('Alerts', { exact: true }).fill('8');
    await page.getByText('Saved.').waitFor({ state: 'detached' });
    const { quotas } = await call<{ quotas: Record<string, { limit: number }> }>(
      dashboard.service,
      workspace,
      'GET',
      '/usage',
    );
    expect(quotas.schedules).toMatchObject({ limit: 7 });
    await page.getByRole('link', { name: 'View its changes' }).click();
    await page.getByText('Changed a workspace').nth(1).waitFor();
    await page.getByText('Changes to Needle in the haystack').waitFor();
    await page.getByLabel('Action').selectOption('Created a workspace');
    await page.getByText('No change matches these filters.').waitFor();
  });

  it('keeps its search field in step with the address', async () => {
    const page = await operator('/admin/workspaces?q=nothing');
    const field = page.getByLabel('Part of the name, or the ID');
    await expectSoon(() => field.inputValue(), 'nothing');
    await page.getByRole('link', { name: 'Workspaces' }).click();
    await page.waitForURL(/workspaces$/);
    await expectSoon(() => field.inputValue(), '');

    await page.goto('/admin/nothing');
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('lets keyboard users skip its navigation', async () => {
    const page = await operator('/admin/overview');
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Tab');
    await focused(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await focused(page.locator('#main'));
  });

  it('renames a workspace, empties it, and revokes one of its keys', async () => {
    const workspace = await dashboard.service.createWorkspace('To be emptied');
    await storePosts(dashboard.service, workspace.workspaceId, [aPost(1), aPost(2)]);
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/api-keys', {
      name: 'Lost',
    });
    const page = await operator(`/admin/workspaces/${workspace.workspaceId}`);
    const press = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
      await focused(page.getByRole('dialog').getByRole('textbox').first());
    };
    const submit = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await press('Rename');
    await submit('Emptied');
    await page.getByRole('heading', { name: 'Emptied' }).waitFor();
    await press('Empty');
    await submit('Emptied');
    await page.locator('[data-counter="Posts stored"]', { hasText: /^0$/ }).waitFor();
    expect(await call(dashboard.service, workspace, 'GET', '/posts')).toMatchObject({ total: 0 });
    await page.getByRole('button', { name: 'Revoke the key Lost' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Revoked or expired').waitFor();
    expect(await call(dashboard.service, workspace, 'GET', `/api-keys/${id}`)).toMatchObject({
      is_active: false,
    });
  });

  it('sets and clears the retention of a workspace after a confirmation', async () => {
    const { workspaceId } = await dashboard.service.createWorkspace('Forgetful');
    const page = await operator(`/admin/workspaces/${workspaceId}`);
    const save = async (days: string): Promise<void> => {
      await page.getByLabel('Posts, since they were last scraped').fill(days);
      await page.getByRole('button', { name: 'Save the retention' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save the retention' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const expectStored = async (days: string): Promise<void> => {
      await page.reload();
      await loaded(page);
      await expectSoon(() => page.getByLabel('Posts, since they were last scraped').inputValue(), days);
    };
    await save('365');
    await expectStored('365');
    await save('');
    await expectStored('');
  });

  it('passes axe on the page of a workspace with a hostile name, and in its dialogs', async () => {
    const name = '<img src=x onerror="document.title=`owned`">';
    const { workspaceId } = await dashboard.service.createWorkspace(name);
    const page = await operator(`/admin/workspaces/${workspaceId}`);
    await page.getByRole('button', { name: 'Save the quotas' }).waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
    for (const button of ['Rename', 'Create a key', 'Empty', 'Delete']) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('dialog').locator(':focus').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
  });

  it('deletes a workspace only after its name was typed', async () => {
    const workspace = await dashboard.service.createWorkspace('To be deleted');
    const page = await operator('/admin/workspaces?q=to%20be%20deleted');
    await page.getByRole('link', { name: 'To be deleted' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' });
    await expectSoon(() => confirm.isDisabled(), true);
    await page.getByLabel('Type its name to confirm').fill('To be deleted');
    await confirm.click();
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
    expect((await requestAs(dashboard.service, workspace, 'GET', '/jobs')).status).toBeGreaterThanOrEqual(
      401,
    );
  });

  it.each(['/admin/overview', '/admin/workspaces', '/admin/workspaces?create=yes', '/admin/audit'])(
    'passes axe on %s in both themes and sizes, and shows hostile names as text',
    async (path) => {
      await dashboard.service.createWorkspace('<img src=x onerror="document.title=`owned`">');
      const page = await operator(path);
      await loaded(page);
      expect(await violationsInAllViews(page)).toEqual([]);
      expect(await page.locator('main img[src="x"]').count()).toBe(0);
      expect(await page.title()).not.toBe('owned');
    },
  );
});
