import { parseArgs } from 'node:util';
import { parseEnvironment, unknownVariables } from '../config/environment.js';
import { EPOCH } from './data/data-set.js';
import { FAULT_KINDS, type FaultKind, type SandboxOptions } from './options.js';
import { startSandbox } from './server/sandbox.js';
import type { ForumOptions } from './data/forums.js';

/**
 * Runs the synthetic platform as a process: prints `{"listening": url}`, or the selection of `--print`, and serves until
 * SIGTERM or SIGINT. Options override the variables `SANDBOX_SEED`, `SANDBOX_CLOCK` and `SANDBOX_REQUESTS_PER_MINUTE`.
 */
const { values } = parseArgs({
  options: {
    host: { type: 'string' },
    port: { type: 'string' },
    seed: { type: 'string' },
    'id-mark': { type: 'string' },
    site: { type: 'string' },
    'latency-ms': { type: 'string' },
    'jitter-ms': { type: 'string' },
    'requests-per-minute': { type: 'string' },
    'window-seconds': { type: 'string' },
    'fail-rate': { type: 'string' },
    faults: { type: 'string' },
    'token-ttl-seconds': { type: 'string' },
    'expire-token-after': { type: 'string' },
    'archive-slow-above-limit': { type: 'string' },
    'posts-per-minute': { type: 'string' },
    /** `name:posts` or `name:posts:commentsPerPost`, repeatable. */
    forum: { type: 'string', multiple: true },
    print: { type: 'string', default: 'listening' },
  },
});

function parseNumber(name: string, text: string): number {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value) || value < 0)
    throw new RangeError(`--${name} must be a number, not "${text}"`);
  return value;
}

function number(
  name: Exclude<keyof typeof values, 'forum' | 'print' | 'id-mark' | 'site'>,
): number | undefined {
  const text = values[name];
  return text === undefined ? undefined : parseNumber(name, text);
}

function parseForum(text: string): [string, ForumOptions] {
  const [name = '', posts, commentsPerPost] = text.split(':');
  return [
    name,
    {
      ...(posts === undefined ? {} : { posts: parseNumber('forum', posts) }),
      ...(commentsPerPost === undefined ? {} : { commentsPerPost: parseNumber('forum', commentsPerPost) }),
    },
  ];
}

/** The moment at which the clock is stopped, by default the end of the generated content; undefined when it runs. */
function clockOf(text: string | undefined): Date | undefined {
  if (text === 'real') return undefined;
  return text === undefined ? EPOCH : new Date(text);
}

function parseFault(text: string): FaultKind {
  const kind = FAULT_KINDS.find((known) => known === text);
  if (kind === undefined) throw new RangeError(`--faults knows ${FAULT_KINDS.join(', ')}, not "${text}"`);
  return kind;
}

function readOptions(): SandboxOptions {
  const environment = parseEnvironment(process.env);
  // The launcher prints them itself when it starts the platform.
  if (values.print !== 'listening')
    for (const warning of unknownVariables(process.env)) process.stderr.write(`${warning}\n`);
  const rate = number('fail-rate') ?? 0;
  const perMinute = number('posts-per-minute') ?? 0;
  return {
    host: values.host,
    port: number('port'),
    seed: number('seed') ?? environment.SANDBOX_SEED,
    idMark: values['id-mark'],
    site: values.site,
    clock: clockOf(environment.SANDBOX_CLOCK),
    latencyMs: number('latency-ms'),
    jitterMs: number('jitter-ms'),
    requestsPerMinute: number('requests-per-minute') ?? environment.SANDBOX_REQUESTS_PER_MINUTE,
    windowSeconds: number('window-seconds'),
    faults: rate > 0 ? { rate, kinds: (values.faults ?? '429,500,503').split(',').map(parseFault) } : null,
    tokenTtlSeconds: number('token-ttl-seconds'),
    expireTokenAfterRequests: number('expire-token-after'),
    archiveSlowAboveLimit: number('archive-slow-above-limit'),
    live: perMinute > 0 ? { postsPerMinute: perMinute } : undefined,
    forums: Object.fromEntries((values.forum ?? []).map(parseForum)),
  };
}

const lines: Record<string, (url: string) => string> = {
  listening: (url) => JSON.stringify({ listening: url }),
  json: (url) => JSON.stringify({ platform_url: url, control_url: `${url}/__control`, pid: process.pid }),
  text: (url) => `The synthetic platform listens on ${url}\nIts control surface is at ${url}/__control/state`,
};

const line = lines[values.print];
if (line === undefined)
  throw new RangeError(`--print knows ${Object.keys(lines).join(', ')}, not "${values.print}"`);
const sandbox = await startSandbox(readOptions());
process.stdout.write(`${line(sandbox.baseUrl)}\n`);
const stop = (): void => void sandbox.close().then(() => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
