import type pg from 'pg';
import type { AlertTriggeredData } from '../../../src/alerts/matching/triggering.js';
import { keyOfComment } from '../../../src/content/comments/comment-keys.js';
import { WEEKDAYS } from '../../../src/alerts/alert/release-time.js';
import { Violation } from '../violation.js';
import { DAY_MS, HOUR_MS, type World, type WorldAlert } from '../world.js';
import { isErased } from './erasures.js';
import { keywordsAt } from './settings.js';
import { minuteOfDay, wallAt } from './local-time.js';

/** How late a notification may be because of pauses and outages. */
const LATEST_MS = 8 * HOUR_MS;
/** How far a process's clock may be off. */
const SKEW_MS = 2_500;

/** An event of an alert. */
interface AlertEvent {
  type: string;
  at: number;
  /** Of matched posts and comments. */
  ids: string[];
  /** Whether the alert's channel receives it. */
  isChannels: boolean;
}

/** When a post or comment was first stored, and its text then. */
interface Stored {
  at: Date;
  text: string;
}

interface Match {
  id: string;
  at: number;
  isHeld: boolean;
  /** The match into which it is folded. */
  into: string | null;
}

/** What an alert has matched is what it watches, each text once; its channel gets each match once, when its plan says. */
export async function checkNotifications(control: pg.Client, world: World, until: number): Promise<void> {
  const { rows } = await control.query<Stored & { workspace: string; id: string }>(
    `SELECT workspace_id AS workspace, id, at, text FROM simulated.stored JOIN posts USING (workspace_id, id)
     UNION ALL SELECT stored.workspace_id, 'comment:' || stored.id, at, text FROM simulated.stored
       JOIN comments ON comment_id = stored.id AND comments.workspace_id = stored.workspace_id`,
  );
  const stored = new Map(rows.map((row) => [`${row.workspace} ${row.id}`, row]));
  for (const alert of world.alerts) {
    const broken = (what: string): never => {
      throw new Violation(`Alert ${alert.id} (${JSON.stringify(alert.delivery)}) ${what}`);
    };
    const { events, matches, digestDueAt } = await rowsOf(control, alert);
    const torn = tornStories(world, alert);
    checkFolds(world, alert, matches, torn, broken);
    const folded = new Set(matches.filter(({ into }) => into !== null).map(({ id }) => id));
    const firstOf = (id: string): Stored | undefined => stored.get(`${alert.workspaceId} ${id}`);
    const keywordsOf = (id: string): readonly string[] | null => {
      const first = firstOf(id);
      return first === undefined ? [] : keywordsAt(alert, first.at.getTime());
    };
    const isCertain = (id: string): boolean => keywordsOf(id) !== null;
    const expected = watched(world, alert, (id) =>
      (keywordsOf(id) ?? []).some((word) => firstOf(id)!.text.includes(word)),
    );
    same(expected, matches.map(({ id }) => id).filter(isCertain), (id) => broken(`matched ${id} not once`));
    const triggered = events.filter(({ type }) => type === 'alert.triggered');
    same(expected, triggered.flatMap(({ ids }) => ids).filter(isCertain), (id) =>
      broken(`told webhooks of ${id} not once`),
    );
    const channels = events.filter(({ isChannels }) => isChannels);
    const waiting = matches.filter(({ isHeld }) => isHeld).map(({ id }) => id);
    if (waiting.length > 0 && (digestDueAt === null || digestDueAt < until - LATEST_MS))
      broken(`has ${waiting.length} unsent matches and a digest at ${digestDueAt}`);
    const isNotified = (id: string): boolean => !folded.has(id) && !torn.has(id) && isCertain(id);
    same(
      expected.filter(isNotified),
      [...waiting, ...channels.flatMap(({ ids }) => ids)].filter(isNotified),
      (id) => broken(`notified its channel of ${id} not once`),
    );
    for (const event of channels) checkTime(alert, event, broken);
    checkRates(alert, channels, broken);
    checkDelays(alert, channels, new Map(matches.map(({ id, at }) => [id, at])), broken);
  }
}

/** Posts whose story has an erased post: its other posts stand for themselves or are folded into one that is gone. */
function tornStories(world: World, { workspaceId }: WorldAlert): Set<string> {
  const posts = [...world.posts.values()].flat();
  const torn = new Set(
    posts
      .filter(({ row }) => isErased(world, workspaceId, { id: row.id, authors: [row.author] }))
      .map(({ story }) => story),
  );
  return new Set(posts.filter(({ story }) => torn.has(story)).map(({ row }) => row.id));
}

/** Of the posts of one story, an alert that folds reposts keeps one match, and folds nothing else. */
function checkFolds(
  { posts }: World,
  { foldDuplicates }: WorldAlert,
  matches: readonly Match[],
  torn: ReadonlySet<string>,
  broken: (what: string) => never,
): void {
  const stories = new Map([...posts.values()].flat().map(({ row, story }) => [row.id, story]));
  const first = new Map<string, string>();
  for (const { id, into } of matches) {
    const story = stories.get(id) ?? id;
    if (into !== null && (!foldDuplicates || stories.get(into) !== story))
      broken(`folded ${id} into ${into}`);
    if (into !== null || !foldDuplicates || torn.has(id)) continue;
    if (first.has(story)) broken(`did not fold ${id} and ${first.get(story)}`);
    first.set(story, id);
  }
}

/** The posts and comments in an alert's reach that it matches. */
function watched(
  { posts, comments }: World,
  { of, forums }: WorldAlert,
  isMatched: (id: string) => boolean,
): string[] {
  const isWatched = ({ forum }: { forum: string }): boolean => forums.length === 0 || forums.includes(forum);
  const ids = {
    posts: [...posts.values()].flat().flatMap(({ row }) => (isWatched(row) ? [row.id] : [])),
    comments: comments.filter(isWatched).map(({ commentId }) => keyOfComment(commentId)),
  };
  return [...(of === 'comments' ? [] : ids.posts), ...(of === 'posts' ? [] : ids.comments)].filter(isMatched);
}

/** Calls `broken` with an id that one list has another number of times than the other. */
function same(expected: readonly string[], found: readonly string[], broken: (id: string) => never): void {
  const sorted = [...found].sort();
  const wrong = [...expected].sort().findIndex((id, index) => id !== sorted[index]);
  if (wrong >= 0) broken([...expected].sort()[wrong]!);
  if (found.length > expected.length) broken(sorted[expected.length]!);
}

/** Nothing during quiet hours, and digests of days and weeks at their local time. */
function checkTime(
  { delivery: plan }: WorldAlert,
  { at, type }: AlertEvent,
  broken: (what: string) => never,
): void {
  if (plan === null) return;
  const isQuiet = (instant: number): boolean => {
    if (plan.quiet === null) return false;
    const [now, from, to] = [wallAt(plan.timezone, instant), plan.quiet.from, plan.quiet.to].map(
      minuteOfDay,
    ) as [number, number, number];
    return from < to ? now >= from && now < to : now >= from || now < to;
  };
  const when = new Date(at).toISOString();
  if (isQuiet(at - SKEW_MS) && isQuiet(at + SKEW_MS))
    broken(`notified its channel in quiet hours at ${when}`);
  if (plan.every !== 'day' && plan.every !== 'week') return;
  if (type === 'alert.triggered') broken(`notified its channel at once at ${when}`);
  const wall = wallAt(plan.timezone, at + SKEW_MS);
  const time = minuteOfDay(plan.at);
  const begin = plan.quiet !== null && isQuietAt(plan.quiet, time) ? minuteOfDay(plan.quiet.to) : time;
  const late = (minuteOfDay(wall) - begin + 1_440) % 1_440;
  if (late * 60_000 > LATEST_MS) broken(`sent a digest at ${when}`);
  const day = WEEKDAYS[new Date(wall - LATEST_MS).getUTCDay()];
  const days = [day, WEEKDAYS[new Date(wall).getUTCDay()]];
  if (plan.every === 'week' && begin === time && !days.includes(plan.weekday))
    broken(`sent a digest on ${day}`);
}

function isQuietAt({ from, to }: { from: string; to: string }, minute: number): boolean {
  const [start, end] = [minuteOfDay(from), minuteOfDay(to)];
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}

/** At most `max_per_hour` notifications of matches in an hour of UTC, and one digest a period. */
function checkRates(
  { delivery: plan }: WorldAlert,
  channels: readonly AlertEvent[],
  broken: (what: string) => never,
): void {
  if (plan === null) return;
  const isDaily = plan.every === 'day' || plan.every === 'week';
  const limit = plan.every === 'match' ? (plan.max_per_hour ?? Infinity) : 1;
  const counts = new Map<number, number>();
  for (const { at } of channels) {
    const [hour, other] = [at, at + (at % HOUR_MS > HOUR_MS / 2 ? SKEW_MS : -SKEW_MS)].map((instant) =>
      isDaily
        ? Math.floor(wallAt(plan.timezone, instant) / DAY_MS)
        : Math.floor((plan.every === 'hour' ? wallAt(plan.timezone, instant) : instant) / HOUR_MS),
    ) as [number, number];
    if (hour !== other) continue;
    counts.set(hour, (counts.get(hour) ?? 0) + 1);
    if (counts.get(hour)! > limit) broken(`notified its channel too often at ${new Date(at).toISOString()}`);
  }
}

/** No match waits longer than its plan says. */
function checkDelays(
  { delivery: plan }: WorldAlert,
  channels: readonly AlertEvent[],
  matchedAt: ReadonlyMap<string, number>,
  broken: (what: string) => never,
): void {
  const period = {
    match: plan?.max_per_hour == null ? 0 : HOUR_MS,
    hour: HOUR_MS,
    day: 25 * HOUR_MS,
    week: 7 * DAY_MS + HOUR_MS,
  };
  const longest = (plan === null ? 0 : period[plan.every]) + (plan?.quiet == null ? 0 : DAY_MS) + LATEST_MS;
  for (const { at, ids } of channels)
    for (const id of ids) if (at - matchedAt.get(id)! > longest) broken(`notified its channel of ${id} late`);
}

async function rowsOf(control: pg.Client, { workspaceId, id }: WorldAlert) {
  const { rows: events } = await control.query<{
    type: string;
    at: Date;
    data: AlertTriggeredData;
    channels: boolean;
  }>(
    `SELECT type, created_at AS at, data, EXISTS (SELECT FROM deliveries WHERE workspace_id = $1
       AND event_id = outbox_events.id AND destination_kind = 'alert') AS channels
     FROM outbox_events WHERE workspace_id = $1 AND subject_id = $2 ORDER BY created_at`,
    [workspaceId, id],
  );
  const { rows: matches } = await control.query<{ id: string; at: Date; held: boolean; into: string | null }>(
    `SELECT post_id AS id, matched_at AS at, is_held AS held, (SELECT post_id FROM alert_matches AS first
       WHERE first.workspace_id = $1 AND first.id = alert_matches.folded_into) AS into
     FROM alert_matches WHERE workspace_id = $1 AND alert_id = $2`,
    [workspaceId, id],
  );
  const { rows: alerts } = await control.query<{ due: Date | null; count: number }>(
    'SELECT digest_due_at AS due, trigger_count AS count FROM alerts WHERE id = $1',
    [id],
  );
  const triggered = events.filter(({ type }) => type === 'alert.triggered').length;
  if (alerts[0]!.count !== triggered)
    throw new Violation(`Alert ${id} counts ${alerts[0]!.count} triggerings of ${triggered}`);
  return {
    events: events.map(({ type, at, data, channels }): AlertEvent => ({
      type,
      at: at.getTime(),
      ids: [
        ...data.posts.map((post) => post.id),
        ...data.comments.map((comment) => keyOfComment(comment.comment_id)),
      ],
      isChannels: channels,
    })),
    matches: matches.map(({ id: match, at, held, into }) => ({
      id: match,
      at: at.getTime(),
      isHeld: held,
      into,
    })),
    digestDueAt: alerts[0]!.due?.getTime() ?? null,
  };
}
