import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Forum } from '../data/forums.js';
import { hash } from '../data/random.js';
import type { FaultOptions, SandboxOptions } from '../options.js';
import { type Answer, json } from './answer.js';
import { clockBody, commentsBody, deleteBody, faultsBody, postsBody, resetBody } from './control-bodies.js';
import type { PlatformState } from './platform-state.js';
import type { StatsCounter } from './stats.js';

const PREFIX = '/__control/';
const BODY_LIMIT_BYTES = 1_000_000;
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** A refused request; the message is the `detail` of its problem document. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly errors?: { field: string; message: string }[],
  ) {
    super(detail);
  }
}

/** Whether a request goes to the control surface instead of the platform. */
export const isControl = (request: IncomingMessage): boolean => request.url?.startsWith(PREFIX) ?? false;

/**
 * The control API for tests: `GET /__control/state` and `POST /__control/faults | clock | posts | comments | delete |
 * reset`. Every POST responds with its changes; a refused request gets a problem document and changes nothing.
 * Served to loopback addresses only.
 */
export class Control {
  private readonly operations: Record<string, (body: unknown) => unknown> = {
    faults: (body) => this.setFaults(parse(faultsBody, body)),
    clock: (body) => this.setClock(parse(clockBody, body)),
    posts: (body) => this.addPosts(parse(postsBody, body)),
    comments: (body) => this.addComments(parse(commentsBody, body)),
    delete: (body) => this.delete(parse(deleteBody, body)),
    reset: (body) => this.reset(parse(resetBody, body)),
  };
  private faults: FaultOptions | null;

  constructor(
    private readonly state: PlatformState,
    private readonly stats: StatsCounter,
    private readonly options: SandboxOptions,
  ) {
    this.faults = options.faults ?? null;
  }

  async answer(request: IncomingMessage): Promise<Answer> {
    try {
      const body = await readBody(request);
      if (!LOOPBACK.test(request.socket.remoteAddress ?? ''))
        throw new Refusal(403, 'forbidden', 'The control surface answers requests from this machine only.');
      const name = new URL(request.url ?? '', 'http://localhost').pathname.slice(PREFIX.length);
      const isState = name === 'state';
      const operation = isState
        ? () => this.report()
        : Object.hasOwn(this.operations, name) && this.operations[name];
      if (!operation)
        throw new Refusal(
          404,
          'not_found',
          `No route matches ${PREFIX}${name}. Known: state, ${Object.keys(this.operations).join(', ')}.`,
        );
      const method = isState ? 'GET' : 'POST';
      if (request.method !== method)
        throw new Refusal(405, 'method_not_allowed', `Use ${method} ${PREFIX}${name}.`);
      return json(200, operation(isState ? undefined : parseJson(request, body)));
    } catch (error) {
      if (error instanceof Refusal) return problem(error);
      throw error;
    }
  }

  private report() {
    const { data, clock } = this.state;
    return {
      seed: data.seed,
      clock: { now: new Date(clock.now()).toISOString(), stands_still: clock.isFixed },
      requests_per_minute: this.options.requestsPerMinute ?? null,
      faults: this.faults && faultsJson(this.faults),
      forums: data.forums.map((forum) => ({
        name: forum.name,
        posts: data.count(forum) + data.edits.postsWhere({ forum: forum.number }).length,
      })),
      edits: data.edits.counts,
      stats: this.stats.read(),
    };
  }

  private setFaults(body: z.output<typeof faultsBody>) {
    this.faults =
      body.rate === 0
        ? null
        : {
            rate: body.rate,
            kinds: body.kinds,
            maxInARow: body.max_in_a_row,
            slowMs: body.slow_ms,
            retryAfterSeconds: body.retry_after_seconds,
          };
    this.state.setFaults(this.faults);
    return { faults: this.faults && faultsJson(this.faults) };
  }

  private setClock(body: z.output<typeof clockBody>) {
    const { clock } = this.state;
    if (body.now !== undefined) clock.set(body.now === 'real' ? null : Date.parse(body.now));
    else clock.advance(body.advance_seconds! * 1_000);
    return { now: new Date(clock.now()).toISOString(), stands_still: clock.isFixed };
  }

  private addPosts(body: z.output<typeof postsBody>) {
    const { data } = this.state;
    const forum = data.forum(body.forum);
    if (!forum) throw new Refusal(404, 'not_found', `There is no forum "${body.forum}".`);
    const author = body.author === undefined ? null : data.authors.findOrAdd(body.author);
    const posts = Array.from({ length: body.count }, () => {
      const { index } = data.edits.addPost({
        forum: forum.number,
        createdUtc: this.now(),
        author: author ?? data.authors.anyone(this.bits(forum)),
        title: body.title ?? null,
        selftext: body.selftext ?? null,
        url: body.url ?? null,
        score: body.score,
        flair: body.flair ?? null,
        isAdult: body.over_18,
      });
      return { id: `t3_${data.ids.post(forum.number, index)}` };
    });
    return { posts };
  }

  private addComments(body: z.output<typeof commentsBody>) {
    const { data } = this.state;
    const { forum, index } = this.find(body.post, 'post', 't3_');
    const parent = body.parent === undefined ? -1 : this.parentIn(body.parent, forum, index);
    const author = body.author === undefined ? null : data.authors.findOrAdd(body.author);
    const comments = Array.from({ length: body.count }, () => {
      const comment = data.edits.addComment(forum.number, index, data.threadSize(forum, index), {
        parent,
        createdUtc: this.now(),
        author: author ?? data.authors.anyone(this.bits(forum)),
        body: body.body ?? null,
        score: body.score,
      });
      return { id: `t1_${data.ids.comment(forum.number, index, comment)}` };
    });
    return { comments };
  }

  private delete(body: z.output<typeof deleteBody>) {
    const found = body.ids.map((id) => this.find(id, 'ids', 't'));
    for (const { forum, index, comment } of found)
      this.state.data.edits.mark(body.as, forum.number, index, comment);
    return { [body.as]: body.ids };
  }

  private reset(_body: object) {
    this.state.reset();
    this.stats.reset();
    this.faults = this.options.faults ?? null;
    return this.report();
  }

  /** The post or comment with this id. Throws when none exists now, or when the id does not begin with `prefix`. */
  private find(id: string, field: string, prefix: string): { forum: Forum; index: number; comment?: number } {
    const { data } = this.state;
    const bare = id.slice(3);
    const at = id.startsWith('t3_') ? data.ids.parsePost(bare) : data.ids.parseComment(bare);
    const forum = at && data.forumOf(at);
    const comment = at && 'comment' in at && typeof at.comment === 'number' ? at.comment : undefined;
    const exists = forum && (comment === undefined || comment < data.threadSize(forum, at.index));
    if (!exists || !id.startsWith(prefix))
      throw new Refusal(
        404,
        'not_found',
        `${field}: there is no ${prefix === 't3_' ? 'post' : 'post or comment'} ${id}.`,
      );
    return { forum, index: at.index, ...(comment === undefined ? {} : { comment }) };
  }

  private parentIn(id: string, forum: Forum, index: number): number {
    if (id.startsWith('t3_')) return -1;
    const parent = this.find(id, 'parent', 't1_');
    if (parent.forum !== forum || parent.index !== index)
      throw new Refusal(404, 'not_found', `parent: ${id} is a comment of another post.`);
    return parent.comment!;
  }

  private now(): number {
    return Math.max(this.state.data.contentNow(), Math.floor(this.state.clock.now() / 1_000));
  }

  private bits(forum: Forum): number {
    return hash(this.state.data.seed, 101, forum.number, this.state.data.edits.revision);
  }
}

function faultsJson(faults: FaultOptions) {
  return {
    rate: faults.rate,
    kinds: faults.kinds,
    max_in_a_row: faults.maxInARow ?? 3,
    slow_ms: faults.slowMs ?? 3_000,
    retry_after_seconds: faults.retryAfterSeconds ?? 1,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk as string;
    if (body.length > BODY_LIMIT_BYTES)
      throw new Refusal(413, 'payload_too_large', `The body is larger than ${BODY_LIMIT_BYTES} bytes.`);
  }
  return body;
}

/** The body as JSON; an empty body counts as `{}`. */
function parseJson(request: IncomingMessage, body: string): unknown {
  if (body === '') return {};
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'unsupported_media_type', 'Send the body as Content-Type: application/json.');
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new Refusal(400, 'validation_failed', 'The body is not JSON.', [
      { field: 'body', message: 'must be JSON' },
    ]);
  }
}

function parse<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((field) => ({ field, message: 'is not a field of this body' }))
      : [{ field: issue.path.join('.') || 'body', message: issue.message }],
  );
  throw new Refusal(
    400,
    'validation_failed',
    errors.map(({ field, message }) => `${field}: ${message}`).join('; '),
    errors,
  );
}

function problem({ status, code, message, errors }: Refusal): Answer {
  const body = {
    type: 'about:blank',
    title: code.replaceAll('_', ' '),
    status,
    detail: message,
    code,
    errors,
  };
  return { ...json(status, body), headers: { 'content-type': 'application/problem+json' } };
}
