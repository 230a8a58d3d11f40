import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import {
  GRANT_WEIGHT_MS,
  HEAD_START_MS,
  InProcessBudgetStore,
  LOW_RANK_MS,
  SAME_WINDOW_MS,
  spareOf,
} from './in-process-request-budget.js';
import {
  type BudgetCandidate,
  type BudgetStore,
  type Grant,
  QueuedRequestBudget,
  type RateLimit,
  type WindowUpdate,
} from './request-budget.js';

/** Maximum time between two attempts of a waiting process. */
const MAX_POLL_MS = 500;
/** Polling interval while another process has its turn. */
const TURN_POLL_MS = 20;
/** A candidate that its process does not repeat for this long (cancelled or killed) loses its turn. */
const CANDIDATE_EXPIRY_MS = 1_500;
/**
 * Share of the budget that every process uses while Redis is unavailable: within the limit for up to four processes.
 */
const SHARE_WITHOUT_REDIS = 0.25;
const REDIS_RETRY_MS = 5_000;

/**
 * Grants one request to one of the given candidates, or returns a delay. Ranks are those of the in-process budget;
 * times come from Redis, so clock skew between machines does not matter.
 * KEYS: began (requests within the limit's period), window (the platform's), waiting (candidates by rank), alive
 * (candidates by expiry), served (workspaces by served requests).
 * ARGV: requests and milliseconds of the limit, candidate expiry, grant weight, head start, rank of low candidates, the
 * most requests begun and the fewest left in the window for a low request, a unique id, then priority and workspace of
 * each candidate.
 * Returns { index of the granted candidate from 0, else -1; milliseconds until the budget has a request }.
 */
const GRANT = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local began, window, waiting, alive, served = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local limit, within, expiry = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local weight, headStart, lowRank = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local spareBegan, spareRemaining = tonumber(ARGV[7]), tonumber(ARGV[8])
for _, member in ipairs(redis.call('ZRANGEBYSCORE', alive, '-inf', now)) do
  redis.call('ZREM', waiting, member)
  redis.call('ZREM', alive, member)
end
redis.call('ZREMRANGEBYSCORE', began, '-inf', now - within)
local last = redis.call('ZRANGE', served, -1, -1, 'WITHSCORES')
local lastStart = last[2] and tonumber(last[2]) - 1 or 0
local function startOf(workspace)
  return math.max(lastStart, tonumber(redis.call('ZSCORE', served, workspace) or '0'))
end
local members, ranks, best = {}, {}, 1
for i = 10, #ARGV, 2 do
  local n = #members + 1
  members[n] = ARGV[i] .. ' ' .. ARGV[i + 1]
  local known = redis.call('ZSCORE', waiting, members[n])
  if known then ranks[n] = tonumber(known)
  elseif ARGV[i] == 'low' then ranks[n] = lowRank + now
  else ranks[n] = startOf(ARGV[i + 1]) * weight + now - (ARGV[i] == 'high' and headStart or 0) end
  if ranks[n] < ranks[best] then best = n end
end
local isLow = ARGV[8 + 2 * best] == 'low'

local delay = 0
local allowed = isLow and spareBegan or limit
local count = redis.call('ZCARD', began)
if count >= allowed then
  local oldest = redis.call('ZRANGE', began, count - allowed, count - allowed, 'WITHSCORES')
  delay = math.max(1, tonumber(oldest[2]) + within - now)
end
local state = redis.call('HMGET', window, 'remaining', 'ends')
local isOpen = state[2] and tonumber(state[2]) > now
if isOpen and tonumber(state[1]) < (isLow and spareRemaining or 1) then
  delay = math.max(delay, tonumber(state[2]) - now)
end
local first = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
if delay > 0 or (first[2] and tonumber(first[2]) < ranks[best]) then
  for n, member in ipairs(members) do
    redis.call('ZADD', waiting, ranks[n], member)
    redis.call('ZADD', alive, now + expiry, member)
  end
  redis.call('PEXPIRE', waiting, 600000)
  redis.call('PEXPIRE', alive, 600000)
  return { -1, delay }
end
local workspace = ARGV[9 + 2 * best]
redis.call('ZREM', waiting, members[best])
redis.call('ZREM', alive, members[best])
redis.call('ZADD', began, now, ARGV[9])
redis.call('PEXPIRE', began, within + 1000)
if isOpen then redis.call('HINCRBY', window, 'remaining', -1) end
if isLow then return { best - 1, 0 } end
local start = startOf(workspace)
redis.call('ZADD', served, start + 1, workspace)
redis.call('ZREMRANGEBYSCORE', served, '-inf', start)
redis.call('PEXPIRE', served, 600000)
return { best - 1, 0 }
`);

/**
 * Applies the window state of a response. KEYS: window. ARGV: remaining requests, milliseconds to the window's end,
 * milliseconds by which two ends of the same window may differ; or 'uncounted'.
 */
const UPDATE = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = redis.call('HMGET', KEYS[1], 'remaining', 'ends')
local isOpen = window[2] and tonumber(window[2]) > now
if ARGV[1] == 'uncounted' then
  if isOpen then redis.call('HINCRBY', KEYS[1], 'remaining', 1) end
  return 0
end
local remaining, ends = tonumber(ARGV[1]), now + tonumber(ARGV[2])
if isOpen and math.abs(tonumber(window[2]) - ends) < tonumber(ARGV[3]) then
  remaining = math.min(remaining, tonumber(window[1]))
end
redis.call('HSET', KEYS[1], 'remaining', remaining, 'ends', ends)
redis.call('PEXPIRE', KEYS[1], math.max(1000, tonumber(ARGV[2]) + 1000))
return 0
`);

/**
 * How much of the budget is used. KEYS: began, window, waiting. ARGV: milliseconds of the limit.
 * Returns { requests within the limit's period; requests left in the platform's window and milliseconds to its end, -1
 * without an open window; waiting candidates }.
 */
const STATE = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local used = redis.call('ZCOUNT', KEYS[1], now - tonumber(ARGV[1]), '+inf')
local window = redis.call('HMGET', KEYS[2], 'remaining', 'ends')
local isOpen = window[2] and tonumber(window[2]) > now
local remaining = isOpen and tonumber(window[1]) or -1
return { used, remaining, isOpen and tonumber(window[2]) - now or -1, redis.call('ZCARD', KEYS[3]) }
`);

/** How much of a budget is used, over all processes. */
export interface BudgetState {
  /** Maximum number of requests within `withinMs` milliseconds. */
  limit: number;
  withinMs: number;
  /** Requests of the last `withinMs` milliseconds. */
  used: number;
  /** Requests that may be sent now: by the limit, and by the platform's window where it reports one. */
  remaining: number;
  /** Number of waiting candidates: one for each workspace and priority. */
  waiting: number;
  /** Milliseconds to the end of the platform's window; null when it reports none. */
  windowEndsInMs: number | null;
}

interface Script {
  text: string;
  sha1: string;
}

function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** The budget in Redis. While Redis is unavailable, each process continues with a share of its own. */
class RedisBudgetStore implements BudgetStore {
  private readonly keys: { window: string; all: string[] };
  private readonly insurance: InProcessBudgetStore;
  private redisRetryAt = 0;

  constructor(
    private readonly redis: Redis,
    clientId: string,
    private readonly limit: RateLimit,
  ) {
    const client = createHash('sha256').update(clientId).digest('hex').slice(0, 16);
    const all = ['began', 'window', 'waiting', 'alive', 'served'].map(
      (name) => `wss:budget:{${client}}:${name}`,
    );
    this.keys = { window: all[1]!, all };
    this.insurance = new InProcessBudgetStore({
      ...limit,
      requests: Math.max(1, Math.floor(limit.requests * SHARE_WITHOUT_REDIS)),
    });
  }

  async grant(candidates: readonly BudgetCandidate[]): Promise<Grant> {
    if (performance.now() >= this.redisRetryAt) {
      try {
        const { requests, withinMs } = this.limit;
        const spare = spareOf(this.limit);
        const settings = [
          requests,
          withinMs,
          CANDIDATE_EXPIRY_MS,
          GRANT_WEIGHT_MS,
          HEAD_START_MS,
          LOW_RANK_MS,
          spare.began,
          spare.remaining,
          randomUUID(),
        ];
        const pairs = candidates.flatMap(({ priority, workspaceId }) => [priority, workspaceId]);
        const [index, delay] = (await this.run(GRANT, this.keys.all, [...settings, ...pairs])) as [
          number,
          number,
        ];
        const waitMs = delay === 0 ? TURN_POLL_MS : Math.min(delay, MAX_POLL_MS);
        return { index, waitMs, freeInMs: delay };
      } catch {
        this.redisRetryAt = performance.now() + REDIS_RETRY_MS;
      }
    }
    const grant = await this.insurance.grant(candidates);
    return { ...grant, waitMs: Math.min(grant.waitMs, MAX_POLL_MS) };
  }

  async update(update: WindowUpdate): Promise<void> {
    void this.insurance.update(update);
    const parameters =
      update === 'uncounted' ? [update] : [update.remaining, update.endsInMs, SAME_WINDOW_MS];
    // A lost update is corrected by the next response.
    await this.run(UPDATE, [this.keys.window], parameters).catch(() => undefined);
  }

  /** How much of the budget is used. Throws while Redis is unavailable. */
  async state(): Promise<BudgetState> {
    const { requests: limit, withinMs } = this.limit;
    const [began, window, waiting] = this.keys.all as [string, string, string];
    const [used, left, endsInMs, waiters] = (await this.run(STATE, [began, window, waiting], [withinMs])) as [
      number,
      number,
      number,
      number,
    ];
    const ofLimit = Math.max(0, limit - used);
    return {
      limit,
      withinMs,
      used,
      remaining: endsInMs < 0 ? ofLimit : Math.min(ofLimit, Math.max(0, left)),
      waiting: waiters,
      windowEndsInMs: endsInMs < 0 ? null : endsInMs,
    };
  }

  /** Runs a script by its hash, or by its text when Redis does not have it cached. */
  private async run(
    { text, sha1 }: Script,
    keys: string[],
    parameters: (string | number)[],
  ): Promise<unknown> {
    try {
      return await this.redis.evalsha(sha1, keys.length, ...keys, ...parameters);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.redis.eval(text, keys.length, ...keys, ...parameters);
    }
  }
}

/** The request budget that all processes with the same client id share through Redis. */
export class RedisRequestBudget extends QueuedRequestBudget {
  private readonly shared: RedisBudgetStore;

  constructor(redis: Redis, clientId: string, limit: RateLimit, maxWaitMs?: number) {
    const store = new RedisBudgetStore(redis, clientId, limit);
    super(store, undefined, maxWaitMs);
    this.shared = store;
  }

  /** How much of the budget is used, over all processes. Throws while Redis is unavailable. */
  state(): Promise<BudgetState> {
    return this.shared.state();
  }
}
