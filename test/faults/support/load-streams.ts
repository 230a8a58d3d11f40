import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents } from '../../../clients/typescript/src/event-stream.js';
import { until } from '../../../scripts/bench/support/measure.js';
import { query } from '../../../scripts/bench/support/query.js';
import { streamViolations } from '../../support/request-history.js';
import type { LoadTenant } from './load-tenants.js';

const RECONNECT_MS = 500;
const BEGIN_MS = 30_000;
/** Time that a stream has to send what is stored. */
const CATCH_UP_MS = 30_000;

/** Follows the stream of a workspace's saved search, from API to API when a connection breaks. */
export class FollowedStream {
  /** Ids of the posts, in the order in which they came. */
  private readonly sent: string[] = [];
  private readonly stopping = new AbortController();
  private readonly following: Promise<void>;
  private lastId = '';

  private constructor(
    private readonly urls: readonly string[],
    private readonly tenant: LoadTenant,
  ) {
    this.following = this.follow();
  }

  /** Resolves when the stream has begun, so that it has every post that is stored from then on. */
  static async begin(urls: readonly string[], tenant: LoadTenant): Promise<FollowedStream> {
    const stream = new FollowedStream(urls, tenant);
    await until(
      () => stream.lastId,
      (id) => id !== '',
      BEGIN_MS,
    );
    return stream;
  }

  /** Ends the stream when it has sent as many posts as are stored, or is too late, and compares them. */
  async violations(databaseUrl: string): Promise<string[]> {
    const rows = await query<{ id: string }>(databaseUrl, 'SELECT id FROM posts WHERE workspace_id = $1', [
      this.tenant.workspaceId,
    ]);
    const deadline = performance.now() + CATCH_UP_MS;
    while (this.sent.length < rows.length && performance.now() < deadline) await sleep(100);
    this.stopping.abort();
    await this.following;
    const name = `the stream of ${this.tenant.name}`;
    return streamViolations({ name, sent: this.sent, stored: rows.map(({ id }) => id) });
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopping;
    for (let turn = 0; !signal.aborted; turn += 1) {
      await this.read(this.urls[turn % this.urls.length]!).catch(() => undefined);
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Reads one connection until it ends or breaks. */
  private async read(url: string): Promise<void> {
    const { workspaceId, apiKey, searchId } = this.tenant;
    const response = await fetch(`${url}/api/v1/workspaces/${workspaceId}/searches/${searchId}/stream`, {
      headers: { 'X-API-Key': apiKey, ...(this.lastId && { 'Last-Event-ID': this.lastId }) },
      signal: this.stopping.signal,
    });
    if (!response.ok) return response.body?.cancel();
    for await (const { type, id, data } of readEvents(response.body!)) {
      if (type === 'post') this.sent.push((JSON.parse(data) as { id: string }).id);
      this.lastId = id ?? this.lastId;
    }
  }
}
