import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AlertPreviewsService } from '../../src/alerts/service/alert-previews.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import { StoryListService } from '../../src/alerts/service/story-list.service.js';
import type { AlertConditionDto } from '../../src/alerts/alert/alert-condition.dto.js';
import type { AlertDeliveryDto } from '../../src/alerts/alert/alert-delivery.dto.js';
import { ConditionWatcher } from '../../src/alerts/conditions/condition-watcher.js';
import type { AlertTriggeredData } from '../../src/alerts/matching/triggering.js';
import { Clock } from '../../src/common/clock.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';

const START = Date.UTC(2026, 2, 1, 9);
const MINUTE_MS = 60_000;
const BOTNET = [
  'Mirai botnet attacks Zyxel routers at Vodafone customers',
  'Zyxel routers of Vodafone hacked by Mirai botnet',
  'Mirai botnet: Vodafone replaces Zyxel routers',
  'Zyxel closes the hole of the Mirai botnet in Vodafone routers',
];
const GEYSERS = [
  'Kepler telescope photographs Enceladus geysers',
  'Geysers of Enceladus photographed by the Kepler telescope',
  'Kepler telescope: new pictures of geysers on Enceladus',
];

const service = await startTestApplication({ ROLES: 'scheduler' });

describe('an alert on stories', () => {
  let workspaceId: string;
  let stored = 0;

  beforeAll(async () => {
    await service.get(ConditionWatcher).beforeApplicationShutdown();
  });
  beforeEach(async () => {
    ({ workspaceId } = await service.createWorkspace());
    now(0);
  });
  afterEach(() => jest.restoreAllMocks());

  const at = (minutes: number): Date => new Date(START + minutes * MINUTE_MS);
  const now = (minutes: number) => jest.spyOn(service.get(Clock), 'now').mockReturnValue(at(minutes));
  const alerts = () => service.get(AlertsService);
  const condition: AlertConditionDto = { kind: 'story' };
  const readDue = () => service.get(ConditionWatcher).work();
  /** An alert that has been read once. */
  const create = async (query: string, more: { of?: 'all'; delivery?: AlertDeliveryDto } = {}) => {
    const alert = await alerts().create(workspaceId, { name: 'a', query, condition, ...more }, 'full');
    await readDue();
    return alert;
  };
  const store = (titles: readonly string[]) =>
    storePosts(
      service,
      workspaceId,
      titles.map((title) =>
        aPost((stored += 1), { title, selftext: '', url: null, createdUtc: at(-600 + stored) }),
      ),
    );
  const read = (minutes: number) => {
    now(minutes);
    return readDue();
  };
  const events = () =>
    service.app
      .get(DataSource)
      .query<{ type: string; isForChannel: boolean; notBefore: Date | null; data: AlertTriggeredData }[]>(
        `SELECT type, fan_out_after IS NULL AS "isForChannel", relay_not_before AS "notBefore", data
         FROM outbox_events WHERE workspace_id = $1 ORDER BY created_at, relay_not_before NULLS FIRST`,
        [workspaceId],
      );
  const triggered = async () => (await events()).map(({ data }) => data.story!);

  it('is triggered once a story that is new or grows, by several schedulers', async () => {
    await store([...GEYSERS, ...BOTNET.slice(0, 2)]);
    const { id } = await create('zyxel OR enceladus');
    await read(10);
    expect(await triggered()).toEqual([]);
    await store([BOTNET[2]!]);
    await read(19);
    expect(await triggered()).toEqual([]);
    now(20);
    await Promise.all([read(20), read(20), read(20)]);
    const { stories } = await service.get(StoryListService).list(workspaceId, { alert_id: id });
    const story = stories.find(({ keywords }) => keywords.includes('mirai'))!;
    expect(await triggered()).toEqual([JSON.parse(JSON.stringify(story))]);
    expect(story).toMatchObject({ size: 3, sources: ['reddit'] });
    const [{ data }] = (await events()) as [Awaited<ReturnType<typeof events>>[number]];
    expect(data.posts.map((post) => post.id)).toEqual(story.posts);
    expect(data).toMatchObject({ trigger_count: 1, matched_posts_total: 3, matched_comments_total: 0 });
    await store([BOTNET[3]!, 'Vodafone: Mirai botnet in Zyxel routers stopped']);
    await read(30);
    expect(await triggered()).toHaveLength(1);
  });

  it('is triggered by the next pass when storing the event failed', async () => {
    await create('zyxel');
    await store(BOTNET);
    jest.spyOn(service.get(OutboxRepository), 'append').mockRejectedValueOnce(new Error('killed'));
    await read(10);
    expect(await triggered()).toEqual([]);
    await read(15);
    expect((await triggered()).map(({ size }) => size)).toEqual([4]);
  });

  it('is not triggered by a part of a known story', async () => {
    await store([...GEYSERS, ...BOTNET.slice(0, 2)]);
    await create('zyxel OR enceladus');
    await service.app.get(DataSource).query(
      `UPDATE story_records SET story_id = (SELECT (story->'known'->>0)::uuid FROM alerts WHERE workspace_id = $1)
       WHERE workspace_id = $1`,
      [workspaceId],
    );
    await store([BOTNET[2]!]);
    await read(10);
    await read(20);
    expect(await triggered()).toEqual([]);
  });

  it('has the comments of its story', async () => {
    await create('zyxel', { of: 'all' });
    await store(BOTNET.slice(0, 2));
    const body = 'Which Zyxel routers of Vodafone has the Mirai botnet attacked?';
    await storeComments(service, workspaceId, [
      aComment(1, { postId: aPost(stored).id, body, createdUtc: at(-1) }),
    ]);
    await read(10);
    const [{ data }] = (await events()) as [Awaited<ReturnType<typeof events>>[number]];
    expect(data.comments).toMatchObject([{ body }]);
    expect(data).toMatchObject({ matched_posts_total: 2, matched_comments_total: 1, story: { size: 3 } });
  });

  it('reaches the channel as often an hour as its plan allows, webhooks at once', async () => {
    await create('zyxel OR enceladus', { delivery: { max_per_hour: 1 } });
    await store([...GEYSERS, ...BOTNET]);
    await read(10);
    const shown = (await events()).map(({ type, isForChannel, notBefore }) => [
      type,
      isForChannel,
      notBefore,
    ]);
    expect(shown).toHaveLength(3);
    expect(shown).toEqual(
      expect.arrayContaining([
        ['alert.triggered', true, null],
        ['alert.triggered', false, null],
        ['alert.digest', true, at(60)],
      ]),
    );
  });

  it('shows its condition, and its preview the stories that would have triggered it', async () => {
    await store([...GEYSERS, ...BOTNET.slice(0, 2)]);
    const alert = await create('zyxel OR enceladus');
    expect(alert.condition).toEqual({ kind: 'story' });
    const { stories } = await service
      .get(AlertPreviewsService)
      .preview(workspaceId, { query: 'zyxel OR enceladus', condition });
    expect(stories!.map(({ size }) => size)).toEqual([3]);
  });

  it('knows the stories of before when it is switched on again or its query changes', async () => {
    const id = (await create('zyxel')).id.replace('alert_', '');
    await alerts().update(workspaceId, id, { is_active: false });
    await store(BOTNET);
    await read(10);
    await alerts().update(workspaceId, id, { is_active: true });
    await readDue();
    await read(20);
    await store(GEYSERS);
    await alerts().update(workspaceId, id, { query: 'zyxel OR enceladus' });
    await readDue();
    await read(30);
    expect(await triggered()).toEqual([]);
  });

  it('is refused when its keywords are too long for one search', async () => {
    await expect(create('a'.repeat(10))).resolves.toBeDefined();
    const keywords = Array.from({ length: 30 }, (_, number) => `${number} ${'a'.repeat(150)}`);
    await expect(alerts().create(workspaceId, { name: 'a', keywords, condition })).rejects.toThrow();
  });
});
