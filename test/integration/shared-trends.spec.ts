import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { RequestLimits } from '../../src/infrastructure/rate-limit/request-limits.js';
import { SearchService } from '../../src/search/search.service.js';
import type {
  PinnedTrendDto,
  SharedTrendDto,
  TrendLinkDto,
} from '../../src/takeout/trends/pinned-trend.dto.js';
import { PinnedTrendsRepository } from '../../src/takeout/trends/pinned-trends.repository.js';
import { InactiveWorkspaces } from '../../src/tenants/workspaces/inactive-workspaces.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PINS = '/trends/pins';
const TREND = { queries: ['batteries'], of: 'posts', period: '7', interval: 'day', measure: 'count' };

const service = await startTestApplication({ ROLES: 'api' });

describe('pinned trends', () => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await service.createWorkspace();
    const createdUtc = new Date(Date.now() - DAY_MS);
    await storePosts(service, workspace.workspaceId, [aPost(1, { createdUtc }), aPost(2, { createdUtc })]);
  });
  afterEach(() => jest.restoreAllMocks());

  const pin = (changes: object = {}) =>
    call<PinnedTrendDto>(service, workspace, 'POST', PINS, { ...TREND, ...changes });
  const pins = () => call<PinnedTrendDto[]>(service, workspace, 'GET', PINS);
  const link = async (id: string): Promise<TrendLinkDto & { token: string }> => {
    const made = await call<TrendLinkDto>(service, workspace, 'POST', `${PINS}/${id}/link`);
    return { ...made, token: new URL(made.link_url).hash.slice(1) };
  };
  const read = (token: string, timezone = 'UTC') =>
    fetch(`${service.url}/api/v1/shared/trends?${new URLSearchParams({ token, timezone }).toString()}`);
  const later = (milliseconds: number): void => {
    const now = Date.now() + milliseconds;
    jest.spyOn(service.get(Clock), 'now').mockImplementation(() => new Date(now));
  };
  const refusal = async (body: object): Promise<unknown> => {
    const answer = await requestAs(service, workspace, 'POST', PINS).send({ ...TREND, ...body });
    const { errors } = answer.body as { errors?: { field: string }[] };
    return [answer.status, errors?.[0]?.field];
  };

  it('are kept for the workspace, the oldest first', async () => {
    const first = await pin();
    const second = await pin({ queries: [], split_by: 'of', period: 'all' });
    expect(await pins()).toEqual([first, second]);
    expect(first).toMatchObject({ ...TREND, link_expires_at: null });
    await call(service, workspace, 'DELETE', `${PINS}/${first.id}`);
    expect(await pins()).toEqual([second]);
    await requestAs(service, workspace, 'DELETE', `${PINS}/${first.id}`).expect(404);
  });

  it('are at most 50, and each has a chart', async () => {
    expect(await refusal({ interval: 'hour', period: '365' })).toEqual([400, 'interval']);
    expect(await refusal({ queries: ['a', 'b'], split_by: 'source' })).toEqual([400, 'split_by']);
    expect(await refusal({ of: 'comments', split_by: 'post_type' })).toEqual([400, 'split_by']);
    expect(await refusal({ queries: ['1', '2', '3', '4', '5', '6'] })).toEqual([400, 'queries']);
    for (let number = 0; number < 50; number += 1) await pin();
    expect((await requestAs(service, workspace, 'POST', PINS).send(TREND)).body).toMatchObject({
      code: 'quota_exceeded',
    });
  });

  it('have a link that shows the chart, and nothing else', async () => {
    await storeComments(service, workspace.workspaceId, [
      aComment(1, { createdUtc: new Date(Date.now() - DAY_MS) }),
    ]);
    const { id } = await pin({ queries: [], split_by: 'of' });
    const { link_url, token, expires_at } = await link(id);
    expect(link_url.startsWith(`${service.url}/shared/trends#`)).toBe(true);
    const answer = await read(token, 'Europe/Berlin');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    const text = await answer.text();
    const { series, ...rest } = JSON.parse(text) as SharedTrendDto;
    expect(rest).toEqual({
      ...{ ...TREND, queries: [], split_by: 'of', expires_at },
      created_after: expect.any(String) as string,
      created_before: expect.any(String) as string,
    });
    const totals = series.map(({ buckets }) => buckets.reduce((sum, { count }) => sum + count, 0));
    expect(totals).toEqual([2, 1]);
    expect(series[0]!.timezone).toBe('Europe/Berlin');
    for (const hidden of [workspace.workspaceId, id.replace('pin_', ''), aPost(1).title, token])
      expect(text).not.toContain(hidden);
    expect((await read(token, 'Mars/Olympus')).status).toBe(400);
    expect((await pins())[0]!.link_expires_at).toBe(expires_at);
  });

  it('have links that end by themselves, by a new one, by DELETE and with their pin', async () => {
    const { id } = await pin();
    const statusOf = async (token: string) => (await read(token)).status;
    const first = await link(id);
    expect(Math.round((Date.parse(first.expires_at as unknown as string) - Date.now()) / DAY_MS)).toBe(90);
    const second = await link(id);
    expect([await statusOf(first.token), await statusOf(second.token)]).toEqual([404, 200]);
    later(90 * DAY_MS - HOUR_MS);
    expect(await statusOf(second.token)).toBe(200);
    later(90 * DAY_MS + HOUR_MS);
    expect(await statusOf(second.token)).toBe(404);
    const third = await link(id);
    await call(service, workspace, 'DELETE', `${PINS}/${id}/link`);
    expect(await statusOf(third.token)).toBe(404);
    expect((await pins())[0]!.link_expires_at).toBeNull();
    const fourth = await link(id);
    await call(service, workspace, 'DELETE', `${PINS}/${id}`);
    expect(await statusOf(fourth.token)).toBe(404);
  });

  it('have links that rest while their workspace is suspended', async () => {
    const { token } = await link((await pin()).id);
    const setStatus = async (status: string): Promise<void> => {
      const { workspaceId } = workspace;
      await service.app
        .get(DataSource)
        .query('UPDATE workspaces SET status = $2 WHERE id = $1', [workspaceId, status]);
      await service.get(InactiveWorkspaces).refresh();
    };
    await setStatus('suspended');
    expect(await (await read(token)).json()).toMatchObject({ code: 'workspace_suspended' });
    await setStatus('active');
    expect((await read(token)).status).toBe(200);
  });

  it('count unknown tokens as failures, and keep only the hash of a token', async () => {
    const { token } = await link((await pin()).id);
    const failures = jest.spyOn(service.get(RequestLimits), 'countFailure');
    expect((await read('a'.repeat(43))).status).toBe(404);
    expect(failures).toHaveBeenCalledTimes(1);
    const rows = await service.app.get(DataSource).query<object[]>('SELECT * FROM pinned_trends');
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('are counted once a minute, however many read them', async () => {
    const { token } = await link((await pin()).id);
    const counted = jest.spyOn(service.get(SearchService), 'timeSeries');
    const answers = await Promise.all(Array.from({ length: 50 }, () => read(token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(counted).toHaveBeenCalledTimes(1);
  });

  it('forget the name of an erased author, also where a link shows it', async () => {
    const { id } = await pin({ queries: ['author:Ann', 'ann'] });
    const { token } = await link(id);
    await read(token);
    await service.get(PinnedTrendsRepository).eraseAuthor(workspace.workspaceId, 'ann');
    const queries = ['author:"[erased]"', 'ann'];
    expect(await (await read(token)).json()).toMatchObject({ queries });
    expect(await pins()).toMatchObject([{ queries }]);
  });
});
