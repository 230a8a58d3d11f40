import { createHash } from 'node:crypto';
import { MAX_STATED_DELAY_MS } from '../../infrastructure/outbound-http/stated-delay.js';

/** A script that Redis runs in one atomic step. */
export interface Script {
  text: string;
  sha1: string;
}

function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/**
 * Whether the platform's window is open, by the milliseconds to its end. A stored window that ends more than a day from
 * now is none: only versions that kept limits of any length have written it.
 */
const IS_OPEN = `
local function isOpenFor(ms) return ms > 0 and ms <= ${MAX_STATED_DELAY_MS} end
`;

/**
 * Grants one request to one of the given candidates, or returns a delay. Ranks are those of the in-process budget;
 * times come from Redis, so clock skew between machines does not matter. While the budget is scarce, workspaces that
 * have used at least an equal share of it are barred: their candidates neither get a request nor delay others.
 * KEYS: began (requests within the limit's period), window (the platform's), waiting (candidates by rank), alive
 * (candidates by expiry), served (workspaces by served requests), used (requests in `began` by workspace).
 * ARGV: requests and milliseconds of the limit, candidate expiry, grant weight, head start, rank of low candidates, the
 * most requests begun and the fewest left in the window for a low request, reserved requests of the limit, and of the
 * window for each millisecond until its end, a unique id, then priority and workspace of each candidate.
 * Returns { index of the granted candidate from 0, else -1; milliseconds until the budget has a request }.
 */
export const GRANT = script(`${IS_OPEN}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local began, window, waiting, alive, served, used = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local limit, within, expiry = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local weight, headStart, lowRank = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local spareBegan, spareRemaining = tonumber(ARGV[7]), tonumber(ARGV[8])
local reserved, reservedOfWindow = tonumber(ARGV[9]), tonumber(ARGV[10])
for _, member in ipairs(redis.call('ZRANGEBYSCORE', alive, '-inf', now)) do
  redis.call('ZREM', waiting, member)
  redis.call('ZREM', alive, member)
end
for _, member in ipairs(redis.call('ZRANGEBYSCORE', began, '-inf', now - within)) do
  local workspace = string.match(member, '^(.*) ')
  if workspace and redis.call('HINCRBY', used, workspace, -1) < 1 then redis.call('HDEL', used, workspace) end
end
redis.call('ZREMRANGEBYSCORE', began, '-inf', now - within)

local count = redis.call('ZCARD', began)
local state = redis.call('HMGET', window, 'remaining', 'ends')
local remaining, windowMs = tonumber(state[1] or '0'), tonumber(state[2] or '0') - now
local isOpen = isOpenFor(windowMs)
local isScarce = count >= limit - reserved or (isOpen and remaining <= reservedOfWindow * windowMs)
local active = redis.call('HLEN', used)
local function isBarred(workspace)
  return isScarce and active > 1 and tonumber(redis.call('HGET', used, workspace) or '0') >= limit / active
end

local last = redis.call('ZRANGE', served, -1, -1, 'WITHSCORES')
local lastStart = last[2] and tonumber(last[2]) - 1 or 0
local function startOf(workspace)
  return math.max(lastStart, tonumber(redis.call('ZSCORE', served, workspace) or '0'))
end
local members, ranks, barred, best = {}, {}, {}, 1
for i = 12, #ARGV, 2 do
  local n = #members + 1
  local workspace = ARGV[i + 1]
  members[n] = ARGV[i] .. ' ' .. workspace
  barred[n] = isBarred(workspace)
  local known = redis.call('ZSCORE', waiting, members[n])
  if known then ranks[n] = tonumber(known)
  elseif ARGV[i] == 'low' then ranks[n] = lowRank + now
  else ranks[n] = startOf(workspace) * weight + now - (ARGV[i] == 'high' and headStart or 0) end
  if barred[n] == barred[best] then
    if ranks[n] < ranks[best] then best = n end
  elseif barred[best] then best = n end
end
local isLow = ARGV[10 + 2 * best] == 'low'

local delay = 0
local allowed = isLow and spareBegan or barred[best] and limit - reserved or limit
if count >= allowed then
  local oldest = redis.call('ZRANGE', began, count - allowed, count - allowed, 'WITHSCORES')
  delay = math.max(1, tonumber(oldest[2]) + within - now)
end
if isOpen and remaining < (isLow and spareRemaining or 1) then delay = math.max(delay, windowMs) end
if isOpen and barred[best] then delay = math.max(delay, math.ceil(windowMs - remaining / reservedOfWindow)) end
local function isOvertaken()
  local below = '(' .. string.format('%.17g', ranks[best])
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', waiting, '-inf', below, 'LIMIT', 0, 100)) do
    if not isBarred(string.match(member, ' (.*)$')) then return true end
  end
  return false
end
if delay > 0 or isOvertaken() then
  for n, member in ipairs(members) do
    redis.call('ZADD', waiting, ranks[n], member)
    redis.call('ZADD', alive, now + expiry, member)
  end
  redis.call('PEXPIRE', waiting, 600000)
  redis.call('PEXPIRE', alive, 600000)
  return { -1, delay }
end
local workspace = ARGV[11 + 2 * best]
redis.call('ZREM', waiting, members[best])
redis.call('ZREM', alive, members[best])
redis.call('ZADD', began, now, workspace .. ' ' .. ARGV[11])
redis.call('PEXPIRE', began, within + 1000)
redis.call('HINCRBY', used, workspace, 1)
redis.call('PEXPIRE', used, within + 1000)
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
export const UPDATE = script(`${IS_OPEN}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = redis.call('HMGET', KEYS[1], 'remaining', 'ends')
local isOpen = window[2] and isOpenFor(tonumber(window[2]) - now)
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
export const STATE = script(`${IS_OPEN}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local used = redis.call('ZCOUNT', KEYS[1], now - tonumber(ARGV[1]), '+inf')
local window = redis.call('HMGET', KEYS[2], 'remaining', 'ends')
local isOpen = window[2] and isOpenFor(tonumber(window[2]) - now)
local remaining = isOpen and tonumber(window[1]) or -1
return { used, remaining, isOpen and tonumber(window[2]) - now or -1, redis.call('ZCARD', KEYS[3]) }
`);
