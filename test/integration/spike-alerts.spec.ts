import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { AlertPreviewsService } from '../../src/alerts/service/alert-previews.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import type { AlertConditionDto } from '../../src/alerts/alert/alert-condition.dto.js';
import { ConditionWatcher } from '../../src/alerts/conditions/condition-watcher.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 2, 1);
const HOURS = 24 * 10;
const QUERY = 'title:battery OR title:batteries';

const service = await startTestApplication({ ROLES: 'scheduler' });

describe('an alert on spikes', () => {
  let workspaceId: string;

  beforeAll(async () => {
    await service.get(ConditionWatcher).beforeApplicationShutdown();
  });
  beforeEach(async () => {
    ({ workspaceId } = await service.createWorkspace());
    const hours = Array.from({ length: HOURS * 2 }, (_, n) => aPost(n, { createdUtc: at(n / 2) }));
    await storePosts(service, workspaceId, hours);
  });
  afterEach(() => jest.restoreAllMocks());

  const at = (hour: number): Date => new Date(START + Math.floor(hour) * HOUR_MS + 60_000);
  const now = (hour: number, minutes = 0) =>
    jest
      .spyOn(service.get(Clock), 'now')
      .mockReturnValue(new Date(START + hour * HOUR_MS + minutes * 60_000));
  const alerts = () => service.get(AlertsService);
  const condition: AlertConditionDto = { kind: 'spike' };
  const create = () => alerts().create(workspaceId, { name: 'a', query: QUERY, condition }, 'full');
  const storeSpike = (hour: number) =>
    storePosts(
      service,
      workspaceId,
      Array.from({ length: 80 }, (_, n) => aPost(10_000 + n, { createdUtc: at(hour) })),
    );
  const read = () => service.get(ConditionWatcher).work();
  const triggered = async (): Promise<{ start: string; count: number }[]> =>
    (
      await service.app
        .get(DataSource)
        .query<{ spike: { start: string; count: number } }[]>(
          `SELECT data->'spike' AS spike FROM outbox_events WHERE workspace_id = $1 AND type = 'alert.triggered'`,
          [workspaceId],
        )
    ).map(({ spike }) => spike);

  it('is triggered once an hour is over, once by several schedulers', async () => {
    now(HOURS, 10);
    await create();
    await storeSpike(HOURS);
    now(HOURS, 59);
    await read();
    expect(await triggered()).toEqual([]);
    now(HOURS + 1, 6);
    await Promise.all([read(), read(), read()]);
    now(HOURS + 2, 6);
    await read();
    const start = new Date(START + HOURS * HOUR_MS).toISOString();
    expect(await triggered()).toEqual([expect.objectContaining({ start, count: 80, measure: 'count' })]);
  });

  it('is triggered by the next pass when storing the event failed, also hours later', async () => {
    now(HOURS, 10);
    await create();
    await storeSpike(HOURS);
    now(HOURS + 5, 6);
    jest.spyOn(service.get(OutboxRepository), 'append').mockRejectedValueOnce(new Error('killed'));
    await read();
    expect(await triggered()).toEqual([]);
    now(HOURS + 5, 30);
    await read();
    expect(await triggered()).toHaveLength(1);
  });

  it('reaches the channel once quiet hours end, webhooks at once', async () => {
    now(HOURS, 10);
    // The hours of the series begin at midnight, so the spike is read at 01:06.
    const delivery = { quiet: { from: '22:00', to: '07:00' } };
    await alerts().create(workspaceId, { name: 'a', query: QUERY, condition, delivery });
    await storeSpike(HOURS);
    now(HOURS + 1, 6);
    await read();
    await read();
    const events = await service.app.get(DataSource).query(
      `SELECT type, fan_out_after IS NULL AS "isForChannel", relay_not_before AS "notBefore", data->'spike'->>'count' AS count
         FROM outbox_events WHERE workspace_id = $1 ORDER BY type DESC`,
      [workspaceId],
    );
    const sevenOClock = new Date(START + (HOURS + 7) * HOUR_MS);
    const { count } = (await triggered())[0]!;
    expect(events).toEqual([
      { type: 'alert.triggered', isForChannel: false, notBefore: null, count: String(count) },
      { type: 'alert.digest', isForChannel: true, notBefore: sevenOClock, count: String(count) },
    ]);
  });

  it('shows its condition, and its preview the spikes that would have triggered it', async () => {
    await storeSpike(HOURS - 30);
    now(HOURS, 10);
    const alert = await create();
    const shown = { kind: 'spike', measure: 'count', interval: 'hour', direction: 'up' };
    expect(alert.condition).toEqual(shown);
    const { spikes } = await service
      .get(AlertPreviewsService)
      .preview(workspaceId, { query: QUERY, condition });
    expect(spikes!.map(({ count }) => count)).toEqual([82]);
    const id = alert.id.replace('alert_', '');
    const changed = await alerts().update(workspaceId, id, { condition: { kind: 'match' } }, 'full');
    expect(changed.condition).toEqual({ kind: 'match' });
    now(HOURS + 1, 6);
    await read();
    expect(await triggered()).toEqual([]);
  });
});
