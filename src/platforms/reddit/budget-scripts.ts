import { createHash } from 'node:crypto';

export interface BudgetScript {
  text: string;
  /** What Redis knows it by. */
  sha1: string;
}

function script(text: string): BudgetScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/**
 * Grants one request, or says how many milliseconds to wait. Times are Redis's own, so that machines need not agree.
 * KEYS: began (requests of the last minute), window (the platform's), waiting high, waiting normal, turns.
 * ARGV: requests a minute, workspace, priority, a unique member, milliseconds that a wish to be served holds.
 * A wish is noted only when there is no budget: while there is some, nobody waits for anybody.
 */
export const ACQUIRE = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local limit, workspace, priority, member, hold = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local own = priority == 'high' and KEYS[3] or KEYS[4]
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 60000)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
local delay = 0
local count = redis.call('ZCARD', KEYS[1])
if count >= limit then
  local oldest = redis.call('ZRANGE', KEYS[1], count - limit, count - limit, 'WITHSCORES')
  delay = math.max(1, tonumber(oldest[2]) + 60000 - now)
end
local window = redis.call('HMGET', KEYS[2], 'remaining', 'ends')
if window[2] and tonumber(window[2]) > now and tonumber(window[1]) < 1 then
  delay = math.max(delay, tonumber(window[2]) - now)
end
if delay > 0 then
  redis.call('ZADD', own, now + delay + hold, workspace)
  return delay
end
local isTurn = priority == 'high' or redis.call('ZCARD', KEYS[3]) == 0
if isTurn then
  local mine = tonumber(redis.call('HGET', KEYS[5], workspace) or '0')
  for _, other in ipairs(redis.call('ZRANGE', own, 0, -1)) do
    if other ~= workspace and tonumber(redis.call('HGET', KEYS[5], other) or '0') < mine then
      isTurn = false
      break
    end
  end
end
if not isTurn then
  redis.call('ZADD', own, now + hold, workspace)
  return -1
end
redis.call('ZADD', KEYS[1], now, member)
redis.call('PEXPIRE', KEYS[1], 61000)
if window[2] and tonumber(window[2]) > now then redis.call('HINCRBY', KEYS[2], 'remaining', -1) end
redis.call('ZREM', own, workspace)
redis.call('HSET', KEYS[5], workspace, redis.call('HINCRBY', KEYS[5], 'served', 1))
redis.call('PEXPIRE', KEYS[5], 600000)
return 0
`);

/**
 * Learns what an answer said. KEYS: window. ARGV: remaining (less what is still in flight here), milliseconds to the
 * window's end, milliseconds by which two ends of the same window may differ; or 'back' for an answer that was not counted.
 */
export const LEARN = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = redis.call('HMGET', KEYS[1], 'remaining', 'ends')
local open = window[2] and tonumber(window[2]) > now
if ARGV[1] == 'back' then
  if open then redis.call('HINCRBY', KEYS[1], 'remaining', 1) end
  return 0
end
local remaining, ends = tonumber(ARGV[1]), now + tonumber(ARGV[2])
if open and math.abs(tonumber(window[2]) - ends) < tonumber(ARGV[3]) then
  remaining = math.min(remaining, tonumber(window[1]))
end
redis.call('HSET', KEYS[1], 'remaining', remaining, 'ends', ends)
redis.call('PEXPIRE', KEYS[1], math.max(1000, tonumber(ARGV[2]) + 1000))
return 0
`);
