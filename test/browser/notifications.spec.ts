import type { Page } from 'playwright-core';
import { SESSION_COOKIE } from '../../src/http/request/session-cookie.js';
import { MembersRepository } from '../../src/access/api-keys/members.repository.js';
import { SessionsService } from '../../src/access/sessions/sessions.service.js';
import { NotificationLinks } from '../../src/deliver/subscriptions/notification-links.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { SmtpReceiver } from '../support/receivers.js';
import { Dashboard } from './browser.js';

describe('notifications of a person in the dashboard', () => {
  let mails: SmtpReceiver;
  const dashboard = new Dashboard(async () => {
    mails = await SmtpReceiver.start();
    return startTestApplication({
      PUBLIC_URL: 'http://dashboard.example',
      SMTP_URL: mails.url,
      MAIL_FROM: 'service@example.org',
    });
  });
  afterAll(() => mails.close());

  /** An alert of a new workspace, and the pages of a member; test/e2e/members.spec.ts signs in at a provider. */
  const person = async () => {
    const { service } = dashboard;
    const workspace: TestWorkspace = await service.createWorkspace();
    const { workspaceId } = workspace;
    const alert = { name: 'Rust', keywords: ['rust'] };
    const { id: alertId } = await call<{ id: string }>(service, workspace, 'POST', '/alerts', alert);
    const added = { email: 'ann@example.org', role: 'reader' };
    const { id } = await call<{ id: string }>(service, workspace, 'POST', '/members', added);
    const memberId = id.slice('member_'.length);
    const key = await service.get(MembersRepository).find(workspaceId, memberId);
    const browser = { address: '127.0.0.1', userAgent: undefined };
    const value = await service.get(SessionsService).begin({ key: key!, endsAt: null }, browser);
    const { page } = await dashboard.unopened();
    await page.context().addCookies([{ name: SESSION_COOKIE, value, url: service.url }]);
    return { page, workspaceId, memberId, alertId };
  };
  const panelOf = (page: Page) => page.getByRole('region', { name: 'Your notifications' });
  const notifyMe = (page: Page, pressed: boolean) =>
    page.getByRole('button', { name: 'Notify me: Rust', pressed });

  it('are chosen at an alert, and go to another address when it is confirmed', async () => {
    const { page } = await person();
    await page.goto('/alerts');
    await notifyMe(page, false).click();
    await notifyMe(page, true).waitFor();
    await page.goto('/settings');
    await panelOf(page).getByText('is notified of 1 alert.').waitFor();
    await page.getByLabel('Another address').fill('ann@home.example');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await panelOf(page).getByText('Open the link in the email sent to ann@home.example').waitFor();
    const mail = (await mails.received(1)).find(({ to }) => to.includes('ann@home.example'))!;
    const token = /confirm-address#([\w.-]+)/.exec(mail.raw.replaceAll('=\r\n', ''))![1]!;
    const { page: other } = await dashboard.visit(`/confirm-address#${token}`);
    await other.getByRole('button', { name: 'Confirm' }).click();
    await other.getByText('The address is confirmed.').waitFor();
    expect(other.url()).not.toContain('#');
    await page.reload();
    await panelOf(page).getByText('ann@home.example', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Use ann@example.org' }).click();
    await panelOf(page).getByText('ann@example.org', { exact: true }).waitFor();
  });

  it('end on the page of the link in an e-mail, without a session', async () => {
    const { page, workspaceId, memberId, alertId } = await person();
    await page.goto('/alerts');
    await notifyMe(page, false).click();
    await notifyMe(page, true).waitFor();
    const subject = alertId.slice('alert_'.length);
    const links = dashboard.service.get(NotificationLinks).unsubscribe({ workspaceId, memberId, subject });
    const { pathname, hash } = new URL(links!.page);
    const { page: other } = await dashboard.visit(pathname + hash);
    await other.getByRole('button', { name: 'Stop' }).click();
    await other.getByText('You are no longer notified of this alert.').waitFor();
    await page.reload();
    await notifyMe(page, false).waitFor();
  });

  it('are not offered to a session of an API key', async () => {
    const { page, workspace } = await dashboard.blank();
    const alert = { name: 'Rust', keywords: ['rust'] };
    await call(dashboard.service, workspace, 'POST', '/alerts', alert);
    await page.goto('/alerts');
    await page.getByRole('link', { name: 'Rust', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Notify me/ }).count()).toBe(0);
    await page.goto('/settings');
    await page.getByRole('region', { name: 'Usage' }).waitFor();
    expect(await panelOf(page).count()).toBe(0);
  });
});
