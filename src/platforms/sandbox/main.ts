import { parseArgs } from 'node:util';
import { FAULT_KINDS, type FaultKind, type SandboxOptions } from './options.js';
import { startSandbox } from './server/sandbox.js';

/** The sandbox in a process of its own: prints `{"listening": url}` and serves until SIGTERM or SIGINT. */
const { values } = parseArgs({
  options: {
    host: { type: 'string' },
    port: { type: 'string' },
    seed: { type: 'string' },
    'latency-ms': { type: 'string' },
    'jitter-ms': { type: 'string' },
    'requests-per-minute': { type: 'string' },
    'window-seconds': { type: 'string' },
    'fail-rate': { type: 'string' },
    faults: { type: 'string' },
    'token-ttl-seconds': { type: 'string' },
    'expire-token-after': { type: 'string' },
    'posts-per-minute': { type: 'string' },
    /** `name:posts` or `name:posts:commentsPerPost`, as often as wanted. */
    forum: { type: 'string', multiple: true },
  },
});

const number = (name: Exclude<keyof typeof values, 'forum'>): number | undefined => {
  const text = values[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`--${name} must be a number, not "${text}"`);
  return value;
};

const isFault = (text: string): text is FaultKind => FAULT_KINDS.some((kind) => kind === text);

function readOptions(): SandboxOptions {
  const rate = number('fail-rate') ?? 0;
  const perMinute = number('posts-per-minute') ?? 0;
  const forums = (values.forum ?? []).map((text) => {
    const [name = '', posts, commentsPerPost] = text.split(':');
    return [
      name,
      {
        ...(posts ? { posts: Number(posts) } : {}),
        ...(commentsPerPost ? { commentsPerPost: Number(commentsPerPost) } : {}),
      },
    ] as const;
  });
  return {
    host: values.host,
    port: number('port'),
    seed: number('seed'),
    latencyMs: number('latency-ms'),
    jitterMs: number('jitter-ms'),
    requestsPerMinute: number('requests-per-minute'),
    windowSeconds: number('window-seconds'),
    faults: rate > 0 ? { rate, kinds: (values.faults ?? '429,500,503').split(',').filter(isFault) } : null,
    tokenTtlSeconds: number('token-ttl-seconds'),
    expireTokenAfterRequests: number('expire-token-after'),
    live: perMinute > 0 ? { postsPerMinute: perMinute } : undefined,
    forums: Object.fromEntries(forums),
  };
}

const sandbox = await startSandbox(readOptions());
process.stdout.write(`${JSON.stringify({ listening: sandbox.baseUrl })}\n`);
const stop = (): void => void sandbox.close().then(() => process.exit(0));
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
