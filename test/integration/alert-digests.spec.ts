import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import { DigestSender } from '../../src/alerts/digests/digest-sender.js';
import type { AlertScope } from '../../src/alerts/alert/alert-scope.js';
import type { AlertDeliveryDto } from '../../src/alerts/alert/alert-delivery.dto.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { aComment } from '../factories/comments.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';

const JOB = '00000000-0000-4000-8000-000000000009';

const service = await startTestApplication({ ROLES: 'scheduler' });

describe('what is held back for a channel', () => {
  let workspaceId: string;

  beforeAll(async () => {
    await service.get(DigestSender).beforeApplicationShutdown();
  });
  beforeEach(async () => {
    ({ workspaceId } = await service.createWorkspace());
  });
  afterEach(() => jest.restoreAllMocks());

  const at = (time: string) => jest.spyOn(service.get(Clock), 'now').mockReturnValue(new Date(time));
  const create = (delivery: AlertDeliveryDto, of: AlertScope = 'posts') =>
    service.get(AlertsService).create(workspaceId, { name: 'a', keywords: ['rust'], of, delivery });
  const store = (...numbers: number[]) =>
    service.get(TransactionRunner).run(async (tx) => {
      const posts = numbers.map((number) => ({ ...aPost(number), title: 'Rust', numComments: number }));
      await service.get(PostsRepository).upsert(workspaceId, posts, tx);
      await service.get(AlertMatchingService).matchBatch(workspaceId, JOB, { posts }, null, tx);
    });
  const sendDue = () => service.get(DigestSender).work();
  /** Events that the channel receives, with their posts. */
  const notified = async () =>
    (
      await service.app.get(DataSource).query<{ type: string; ids: string[] }[]>(
        `SELECT type, jsonb_path_query_array(data, '$.posts[*].id') AS ids FROM outbox_events
         WHERE workspace_id = $1 AND fan_out_after IS NULL ORDER BY created_at, id`,
        [workspaceId],
      )
    ).map(({ type, ids }) => [type, ...ids]);
  const id = (number: number) => aPost(number).id;

  it('is sent once at its time by several schedulers, most discussed first', async () => {
    at('2026-05-01T10:00:00Z');
    await create({ every: 'day', at: '08:00', timezone: 'Europe/Berlin' });
    await store(1, 3);
    await store(2);
    at('2026-05-02T05:59:59Z');
    await sendDue();
    expect(await notified()).toEqual([]);
    at('2026-05-02T06:00:00Z');
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    await sendDue();
    expect(await notified()).toEqual([['alert.digest', id(3), id(2), id(1)]]);
  });

  it('has comments after posts, those with the highest score first', async () => {
    at('2026-05-01T10:00:00Z');
    await create({ every: 'hour' }, 'all');
    await store(1, 2);
    await service.get(TransactionRunner).run(async (tx) => {
      const comments = [3, 5, 4].map((number) => aComment(number, { body: 'Rust' }));
      await service.get(CommentsRepository).upsert(workspaceId, comments, tx);
      await service.get(AlertMatchingService).matchBatch(workspaceId, JOB, { comments }, null, tx);
    });
    at('2026-05-01T11:00:00Z');
    await sendDue();
    const [digest] = await service.app
      .get(DataSource)
      .query<{ data: Record<string, Record<string, unknown>[]> }[]>(
        `SELECT data FROM outbox_events WHERE workspace_id = $1 AND type = 'alert.digest'`,
        [workspaceId],
      );
    expect(digest!.data.posts!.map((post) => post.num_comments)).toEqual([2, 1]);
    expect(digest!.data.comments!.map(({ score }) => score)).toEqual([5, 4, 3]);
  });

  it('is sent by the next pass when storing the digest failed', async () => {
    at('2026-05-01T10:00:00Z');
    await create({ every: 'hour' });
    await store(1);
    at('2026-05-01T11:00:00Z');
    jest.spyOn(service.get(OutboxRepository), 'append').mockRejectedValueOnce(new Error('killed'));
    await expect(sendDue()).rejects.toThrow('killed');
    await sendDue();
    expect(await notified()).toEqual([['alert.digest', id(1)]]);
  });

  it('goes with the next hour beyond the limit of an hour', async () => {
    at('2026-05-01T10:00:00Z');
    await create({ max_per_hour: 2 });
    // In each hour the digest of the matches before it is one of two notifications.
    for (const [hour, numbers] of [
      [10, [1, 2, 3, 4]],
      [11, [5, 6, 7]],
      [12, [8, 9]],
    ] as const) {
      at(`2026-05-01T${hour}:00:00Z`);
      await sendDue();
      for (const number of numbers) await store(number);
    }
    expect(await notified()).toEqual([
      ['alert.triggered', id(1)],
      ['alert.triggered', id(2)],
      ['alert.digest', id(4), id(3)],
      ['alert.triggered', id(5)],
      ['alert.digest', id(7), id(6)],
      ['alert.triggered', id(8)],
    ]);
  });

  it('waits for the end of quiet hours when it is late, and new matches join it', async () => {
    at('2026-05-01T10:00:00Z');
    await create({ max_per_hour: 1, quiet: { from: '12:00', to: '14:00' } });
    await store(1);
    await store(2);
    // Due from now on.
    at('2026-05-01T11:00:00Z');
    await store(3);
    expect(await notified()).toEqual([['alert.triggered', id(1)]]);
    at('2026-05-01T12:30:00Z');
    await sendDue();
    at('2026-05-01T13:59:59Z');
    await sendDue();
    expect(await notified()).toHaveLength(1);
    at('2026-05-01T14:00:00Z');
    await sendDue();
    expect((await notified()).slice(1)).toEqual([['alert.digest', id(3), id(2)]]);
  });

  it('reaches webhooks at once', async () => {
    at('2026-05-01T23:00:00Z');
    await create({ quiet: { from: '22:00', to: '07:00' } });
    await store(1);
    const events = await service.app
      .get(DataSource)
      .query('SELECT type FROM outbox_events WHERE workspace_id = $1 AND relayed_at IS NULL', [workspaceId]);
    expect(events).toEqual([{ type: 'alert.triggered' }]);
  });

  it('marks what matched, counts reposts, and says how each post was received', async () => {
    at('2026-05-01T10:00:00Z');
    await create({ every: 'hour' });
    await store(1);
    await service.app
      .get(DataSource)
      .query('UPDATE alert_matches SET duplicates = 2 WHERE workspace_id = $1', [workspaceId]);
    at('2026-05-01T11:00:00Z');
    await sendDue();
    const [digest] = await service.app
      .get(DataSource)
      .query<{ post: object; total: number }[]>(
        `SELECT data->'posts'->0 AS post, data->'matched_posts_total' AS total FROM outbox_events WHERE workspace_id = $1 AND type = 'alert.digest'`,
        [workspaceId],
      );
    expect(digest).toMatchObject({
      post: {
        duplicates: 2,
        sentiment_label: aPost(1).sentimentLabel,
        highlights: { title: '<mark>Rust</mark>' },
      },
      total: 1,
    });
  });
});
