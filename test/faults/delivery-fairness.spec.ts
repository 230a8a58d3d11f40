import { DataSource } from 'typeorm';
import { newId } from '../../src/common/ids.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import type { EventType } from '../../src/messages/outbox/event-types.js';
import { MAX_HELD, MIN_CLAIMED } from '../../src/deliver/queue/send-limits.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { HttpReceiver } from '../support/receivers.js';
import { addWebhooks } from '../support/webhooks.js';

/** Longer than a test waits for a delivery, so that destinations that do not respond occupy their slots throughout. */
const WEBHOOK_TIMEOUT_MS = 30_000;
const FLOODING_WEBHOOKS = 3_000;

describe('deliveries of one workspace while another one floods the service', () => {
  let service: TestApplication;
  let hostile: HttpReceiver;
  let receiver: HttpReceiver;

  beforeEach(async () => {
    service = await startTestApplication({
      ROLES: 'api,worker',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_TIMEOUT_MS: String(WEBHOOK_TIMEOUT_MS),
    });
    hostile = await HttpReceiver.start();
    receiver = await HttpReceiver.start();
  });
  afterEach(async () => {
    // Open requests end when their receiver closes, so that the service need not wait for them.
    await Promise.all([hostile.close(), receiver.close()]);
    await service.close();
  });

  const workspaceWith = async (webhooks: number, url: string): Promise<string> => {
    const { workspaceId } = await service.createWorkspace();
    await addWebhooks(service, workspaceId, webhooks, url);
    return workspaceId;
  };
  const append = (workspaceId: string, type: EventType, count: number): Promise<void> =>
    service.app.get(TransactionRunner).run(async (tx) => {
      for (let n = 0; n < count; n += 1)
        await service
          .get(OutboxRepository)
          .append(workspaceId, { type, uniqueKey: `event ${n}`, subjectId: newId(), data: { n } }, tx);
    });
  it('arrive before one more event of 100 has reached the 3,000 webhooks of the other', async () => {
    hostile.answerWith({ status: 500 });
    const flooding = await workspaceWith(FLOODING_WEBHOOKS, hostile.url);
    const quiet = await workspaceWith(1, receiver.url);
    await append(flooding, 'job.failed', 100);
    await hostile.received(100);
    const before = hostile.all.length;
    await append(quiet, 'job.completed', 1);
    await receiver.received(1);
    expect(hostile.all.length - before).toBeLessThan(FLOODING_WEBHOOKS);
  });

  it('arrive while 128 destinations do not respond', async () => {
    hostile.answerWith({ fault: 'hang' });
    const slow = await workspaceWith(128, hostile.url);
    // More than the few slots that a full workspace leaves because it does not claim them one by one.
    const quiet = await workspaceWith(40, receiver.url);
    await append(slow, 'job.completed', 20);
    await hostile.received(32);
    // Whether the sender has claimed the maximum: three quarters of its slots, or all of them if it had no shares.
    const leased = async (): Promise<number> => {
      const [row] = await service.app
        .get(DataSource)
        .query<[{ count: number }]>(
          'SELECT count(*)::int AS count FROM deliveries WHERE workspace_id = $1 AND leased_until > now()',
          [slow],
        );
      return row.count;
    };
    let claimed = 0;
    for (let unchanged = 0; unchanged < 5; unchanged += 1) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const now = await leased();
      if (now > claimed) [claimed, unchanged] = [now, 0];
    }
    expect(claimed).toBeGreaterThan((MAX_HELD * 3) / 4 - 2 * MIN_CLAIMED);
    await append(quiet, 'job.completed', 1);
    await receiver.received(40);
  });
});
