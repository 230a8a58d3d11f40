import createClient, { type Client, defaultPathSerializer } from 'openapi-fetch';
import { dataOf } from './answers.js';
import { ApiError } from './errors.js';
import { exportedBytes, type ExportQuery } from './exports.js';
import { readEvents } from './event-stream.js';
import { type Resources, resourcesOf } from './resources.js';
import { type NodeWritable, webStreamOver } from './streams.js';
import { type Fetch, isTransient, retryingFetch, type RetryOptions, wait } from './retry.js';
import type { components, operations, paths } from './schema.js';

export type { components, operations, paths } from './schema.js';
export { dataOf } from './answers.js';
export { ApiError, type Problem } from './errors.js';
export type { ExportQuery } from './exports.js';
export type { NodeWritable } from './streams.js';
export {
  type MatchedPost,
  verifyWebhook,
  type WebhookDelivery,
  type WebhookEvent,
  WebhookVerificationError,
} from './webhooks.js';

/** A scrape job as the service returns it. */
export type Job = components['schemas']['JobDto'];
/** The parameters of a new job. */
export type NewJob = components['schemas']['CreateJobDto'];
/** A post of a list. */
export type PostListItem = components['schemas']['PostListItemDto'];
/** A comment of a list. */
export type Comment = components['schemas']['CommentListItemDto'];
/** Filters and order of a list of posts. */
export type PostQuery = NonNullable<operations['listPosts']['parameters']['query']>;
/** Filters of a list of comments. */
export type CommentQuery = NonNullable<operations['listComments']['parameters']['query']>;
/** A query for all rows of a list: `limit` bounds the rows, `page_size` (1 to 200, default 200) those of one request. */
export type Each<Query> = Omit<Query, 'cursor' | 'offset' | 'limit'> & { limit?: number; page_size?: number };
/** Options of a client. */
export interface ClientOptions {
  /** Address of the service, e.g. `http://127.0.0.1:3000`. */
  baseUrl: string;
  apiKey: string;
  /** The workspace to which the key belongs. */
  workspaceId: string;
  /** Replaces the global `fetch`, e.g. by one with a time limit or a proxy. */
  fetch?: Fetch;
  /** How requests are repeated after 429, 502, 503, 504 and broken connections. */
  retry?: RetryOptions;
}

/** How long to wait for a job. */
export interface WaitOptions {
  /** Default 600,000 (ten minutes). */
  timeoutMs?: number;
  signal?: AbortSignal;
}

const PAGE = 200;
const RECONNECT_MS = 1_000;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** What every client has, without the methods by resource. */
class WorkspaceClient {
  /** Every operation: `client.api.GET('/api/v1/workspaces/{workspace_id}/alerts', { params: { path: client.path } })`. */
  readonly api: Client<paths>;
  /** The path parameter of every operation. */
  readonly path: { workspace_id: string };

  constructor({ baseUrl, apiKey, workspaceId, fetch: send, retry }: ClientOptions) {
    this.path = { workspace_id: workspaceId };
    this.api = createClient<paths>({
      baseUrl,
      headers: { 'X-API-Key': apiKey },
      pathSerializer: pathOf,
      fetch: retryingFetch(send ?? ((request) => fetch(request)), retry),
    });
    Object.assign(this, resourcesOf(this.api, this.path));
  }

  /**
   * Starts a job. A repeated request does not start a second one: each call uses an idempotency key, by default a new
   * one.
   */
  startJob(job: NewJob, idempotencyKey: string = crypto.randomUUID()): Promise<Job> {
    return dataOf(
      this.api.POST('/api/v1/workspaces/{workspace_id}/jobs', {
        params: { path: this.path, header: { 'Idempotency-Key': idempotencyKey } },
        body: job,
      }),
    );
  }

  /** The current record of a job. */
  getJob(jobId: string): Promise<Job> {
    return dataOf(
      this.api.GET('/api/v1/workspaces/{workspace_id}/jobs/{job_id}', {
        params: { path: { ...this.path, job_id: jobId } },
      }),
    );
  }

  /**
   * Waits until the job has completed, failed or been cancelled, and returns it. Throws a `TimeoutError` when it has
   * not ended in time.
   */
  async waitForJob(jobId: string, { timeoutMs = 600_000, signal }: WaitOptions = {}): Promise<Job> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
    for await (const job of this.followJob(jobId, stop)) if (ENDED.has(job.status)) return job;
    stop.throwIfAborted();
    throw new Error(`The events of ${jobId} ended before the job did`);
  }

  /**
   * Yields the job now and after every change, the ended one last. A broken stream is reopened, even while the service
   * restarts, until the signal aborts. A record that has not changed meanwhile is not repeated.
   */
  async *followJob(jobId: string, signal?: AbortSignal): AsyncGenerator<Job, void, undefined> {
    let last = '';
    for (;;) {
      try {
        for await (const { type, data } of await this.openEvents(jobId, signal)) {
          if ((type !== 'progress' && type !== 'end') || data === last) continue;
          last = data;
          const job = JSON.parse(data) as Job;
          yield job;
          if (ENDED.has(job.status)) return;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ApiError && !isTransient(error.status)) throw error;
        // The connection broke; the next one begins with the job's current record.
      }
      await wait(RECONNECT_MS, signal);
    }
  }

  /**
   * Every matching post, or the first `limit`, in pages of `page_size`. Posts that exist throughout are returned exactly
   * once, whatever is written in between.
   */
  eachPost(query: Each<PostQuery> = {}): AsyncGenerator<PostListItem, void, undefined> {
    return each(query, async (page) => {
      const params = { path: this.path, query: page };
      const answer = await dataOf(this.api.GET('/api/v1/workspaces/{workspace_id}/posts', { params }));
      return { ...answer, rows: answer.posts };
    });
  }

  /** Every matching comment, or the first `limit`, as with {@link eachPost}. */
  eachComment(query: Each<CommentQuery> = {}): AsyncGenerator<Comment, void, undefined> {
    return each(query, async (page) => {
      const params = { path: this.path, query: page };
      const answer = await dataOf(this.api.GET('/api/v1/workspaces/{workspace_id}/comments', { params }));
      return { ...answer, rows: answer.comments };
    });
  }

  /**
   * Writes an export of any number of posts or comments into a stream (a web `WritableStream`, which is closed, or a Node.js
   * stream, which is left open) and returns the number of bytes. Throws when the export fails, a part differs from its
   * checksum, the download is interrupted, or the stream closes early; what was written is then incomplete. An order, or a
   * key that may only read, allows at most 10,000 rows, and throws when there are more.
   */
  async exportTo(sink: WritableStream<Uint8Array> | NodeWritable, query: ExportQuery = {}): Promise<number> {
    const writer = ('getWriter' in sink ? sink : webStreamOver(sink)).getWriter();
    let bytes = 0;
    try {
      for await (const chunk of exportedBytes(this, query)) {
        await writer.write(chunk);
        bytes += chunk.byteLength;
      }
      await writer.close();
    } catch (error) {
      if (bytes > 0) await writer.abort(error).catch(() => undefined);
      throw error;
    } finally {
      writer.releaseLock();
    }
    return bytes;
  }

  private async openEvents(jobId: string, signal?: AbortSignal): Promise<ReturnType<typeof readEvents>> {
    const body = await dataOf(
      this.api.GET('/api/v1/workspaces/{workspace_id}/jobs/{job_id}/events', {
        params: { path: { ...this.path, job_id: jobId } },
        parseAs: 'stream',
        headers: { Accept: 'text/event-stream' },
        signal,
      }),
    );
    return readEvents(body as ReadableStream<Uint8Array>);
  }
}

/**
 * A client of one workspace. `client.alerts.create({ name: 'Acme', keywords: ['acme'] })` calls an operation by its
 * resource, `api` by its path; the other methods cover common tasks.
 */
export class ScrapingClient extends (WorkspaceClient as new (
  options: ClientOptions,
) => WorkspaceClient & Resources) {}

/** The rows of a list behind its cursors, at most as many as the query's `limit`. */
async function* each<Query extends { limit?: number; cursor?: string }, Row>(
  { limit = Infinity, page_size: size = PAGE, ...filters }: Each<Query>,
  read: (query: Query) => Promise<{ rows: Row[]; has_more: boolean; cursor?: string }>,
): AsyncGenerator<Row, void, undefined> {
  let cursor: string | undefined = '';
  for (let left = limit; left > 0;) {
    const page = await read({ ...filters, limit: Math.min(size, left), cursor } as unknown as Query);
    yield* page.rows;
    if (!page.has_more) return;
    left -= page.rows.length;
    cursor = page.cursor;
  }
}

/** The path of an operation. Throws a TypeError for a value that would lead to another one. */
function pathOf(path: string, values: Record<string, unknown>): string {
  for (const [name, value] of Object.entries(values))
    if (['', '.', '..'].includes(String(value))) throw new TypeError(`\`${name}\` must be an id`);
  return defaultPathSerializer(path, values);
}
