import type { Alert } from '../../src/alerts/alert/alert.entity.js';
import type { ScrapeMode } from '../../src/collect/jobs/job.entity.js';
import type { ScheduleConfig } from '../../src/collect/schedules/schedule.entity.js';
import type { MatchState } from '../../src/alerts/matching/match-state.js';
import type { DeliveryPlan } from '../../src/alerts/alert/release-time.js';
import { deletedPost } from '../../src/platforms/deleted-content.js';
import { aComment } from '../factories/comments.js';
import { aPost, type NewPost } from '../factories/posts.js';
import { DELETED } from '../../src/platforms/platform.js';
import type { Random } from './random.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** How many of the newest posts of a forum its listings show. */
export const LISTED = 24;
const WORDS = ['battery', 'charger', 'solar', 'motor', 'turbine', 'inverter'];
/** Names that occur in everything that their owners write, and nowhere else. */
const AUTHORS = Array.from({ length: 12 }, (_, number) => `qx${String.fromCharCode(97 + number)}writer`);
const MAILBOXES = ['a', 'b', 'c'];
const FORUMS = ['technology', 'energy'];
const CRONS = [
  '15 */8 * * *',
  '30 2 * * *',
  '45 1 * * *',
  '0 9 * * 1-5',
  '10,40 */6 * * *',
  '0 3,15 * * *',
  '0,20,40 */12 * * *',
];
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'];
/** Days shortly before clocks change in one of the zones. */
const STARTS = ['2026-10-02', '2026-10-23', '2026-10-30', '2027-03-12', '2027-03-26', '2027-04-02'];

/** A comment of the platform, as it is now. */
export type WorldComment = ReturnType<typeof aComment>;

/** A post of the platform, with its comments, as it is now. */
export interface WorldPost {
  row: NewPost;
  comments: readonly WorldComment[];
  /** Id of the post of which it is a repost; otherwise its own. */
  story: string;
  isEdited: boolean;
  /** Whether listings show it; its page stays. */
  isListed: boolean;
}

/** What a workspace is to forget: everything of an author, or a post with its comments. */
export interface WorldErasure {
  workspaceId: string;
  author: string | null;
  postId: string | null;
}

export interface WorldSchedule {
  workspaceId: string;
  id: string;
  target: string;
  mode: ScrapeMode;
  cronExpression: string;
  config: ScheduleConfig & { timezone: string; overlap: 'skip' | 'queue'; jitter_seconds: number };
}

/** What an alert watches for from a time on; while a user changes it, between the two times, or before. */
export interface WorldSetting {
  from: number;
  to: number;
  /** None while the alert is paused. */
  keywords: readonly string[];
}

export type WorldAlert = Pick<
  Alert,
  'workspaceId' | 'id' | 'keywords' | 'of' | 'forums' | 'delivery' | 'foldDuplicates'
> & {
  settings: WorldSetting[];
  /** Of its e-mails; none for one that notifies a webhook. */
  recipients: readonly string[];
};

/** A daily report. */
export interface WorldReport {
  workspaceId: string;
  id: string;
  at: string;
  timezone: string;
}

/** A receiver's state: until when it fails, and how. */
export interface WorldReceiver {
  path: string;
  workspaceId: string;
  id: string;
  kind: 'webhook' | 'alert' | 'report';
  brokenUntil: number;
  breakage: number;
}

/** What is outside the service: the platform, the users' settings and the receivers. */
export class World {
  readonly start: number;
  readonly workspaces: string[];
  readonly schedules: WorldSchedule[] = [];
  readonly alerts: WorldAlert[] = [];
  readonly reports: WorldReport[] = [];
  readonly receivers = new Map<string, WorldReceiver>();
  /** By forum, oldest first. */
  readonly posts = new Map<string, WorldPost[]>(FORUMS.map((forum) => [forum, []]));
  /** All that were ever written, as they were then. */
  readonly comments: WorldComment[] = [];
  /** Who wrote a post or comment, even if the platform does not tell any more. */
  readonly authors = new Map<string, string>();
  /** Until when the platform's answers are errors. */
  brokenUntil = 0;
  /** The states of matches that users have set. */
  readonly states = new Map<string, MatchState>();
  /** Requested erasures. */
  readonly erasures: WorldErasure[] = [];
  private number = 0;

  constructor(private readonly random: Random) {
    this.start = Date.parse(`${random.pick(STARTS)}T00:00:00Z`) + random.below(DAY_MS);
    this.workspaces = [random.uuid(), random.uuid()];
    for (const [number, workspaceId] of this.workspaces.entries()) {
      for (const target of FORUMS.slice(number)) this.schedules.push(this.schedule(workspaceId, target));
      for (let count = 2 + random.below(3); count > 0; count -= 1) this.alerts.push(this.alert(workspaceId));
      this.receiver('webhook', workspaceId, random.uuid());
      this.reports.push({ workspaceId, id: random.uuid(), at: this.time(), timezone: random.pick(ZONES) });
    }
    for (const { workspaceId, id } of this.alerts) this.receiver('alert', workspaceId, id);
    for (const { workspaceId, id } of this.reports) this.receiver('report', workspaceId, id);
  }

  /** The receiver to which an address of {@link WorldAlert.recipients} belongs. */
  receiverOf(recipient: string): WorldReceiver {
    return this.receivers.get(`/alert/${recipient.slice(2).split('@')[0]}`)!;
  }

  /** Adds posts and comments to the platform, and changes others. */
  publish(now: number): string {
    const forum = this.random.pick(FORUMS);
    const posts = this.posts.get(forum)!;
    const [added, changed] = [1 + this.random.below(6), this.random.below(3)];
    for (let count = added; count > 0; count -= 1) posts.push(this.post(forum, now));
    const recent = posts.slice(-20);
    const original = this.random.pick(recent);
    if (this.random.chance(0.5)) this.repost(original, this.random.pick(FORUMS), now);
    for (let count = changed; count > 0; count -= 1) {
      const post = this.random.pick(recent);
      if (post.row.author === DELETED) continue;
      const isStory = posts.some((other) => other !== post && other.story === post.story);
      const title = isStory ? post.row.title : `${post.row.title} edited`;
      post.row = { ...post.row, score: post.row.score + 1, title };
      post.isEdited = true;
      if (post.row.numComments > 0) this.comment(post, now);
    }
    const gone = this.random.chance(0.5) ? this.withdraw(this.random.pick(recent)) : 'nothing';
    return `${added} posts in ${forum}, ${changed} changed, ${gone} gone`;
  }

  /** Takes away a post or one of its comments, as authors and moderators do: the whole, or its text. */
  private withdraw(post: WorldPost): string {
    const { random } = this;
    const isWhole = random.chance(0.5);
    const comment = post.comments.length > 0 ? random.pick(post.comments) : undefined;
    if (comment !== undefined && random.chance(0.6)) {
      const left = isWhole ? [] : [{ ...comment, author: DELETED, body: DELETED }];
      post.comments = post.comments.flatMap((one) => (one === comment ? left : [one]));
      post.row = { ...post.row, numComments: post.comments.length };
      return comment.commentId;
    }
    const all = [...this.posts.values()].flat();
    if (all.some((other) => other !== post && other.story === post.story)) return 'nothing';
    post.isEdited = true;
    if (isWhole) post.isListed = false;
    else {
      const { title, author, selftext, url } = deletedPost(post.row.id);
      post.row = { ...post.row, title, author, selftext, url };
    }
    return post.row.id;
  }

  /** Whether a post or comment was taken away, or its text. */
  isGone(id: string): boolean {
    const posts = [...this.posts.values()].flat();
    const text =
      posts.find(({ row }) => row.id === id)?.row ??
      posts.flatMap(({ comments }) => comments).find(({ commentId }) => commentId === id);
    return text === undefined || text.author === DELETED;
  }

  /** Chooses what a workspace forgets. */
  erasure(): WorldErasure {
    const workspaceId = this.random.pick(this.workspaces);
    const posts = [...this.posts.values()].flat().slice(-40);
    if (posts.length === 0 || this.random.chance(0.5))
      return { workspaceId, author: this.random.pick(AUTHORS), postId: null };
    return { workspaceId, author: null, postId: this.random.pick(posts).row.id };
  }

  /** Chooses what an alert watches for from now on. */
  setting(): Pick<WorldSetting, 'keywords'> {
    return { keywords: this.random.chance(0.5) ? [] : [this.random.pick(WORDS)] };
  }

  private post(forum: string, now: number, author = this.random.pick(AUTHORS)): WorldPost {
    const number = (this.number += 1);
    const row = aPost(number, {
      forum,
      author,
      title: `Post ${number} by ${author} on ${this.random.pick(WORDS)}`,
      selftext: this.random.chance(0.3) ? `And the ${this.random.pick(WORDS)}` : '',
      createdUtc: new Date(now),
      scrapedAt: new Date(now),
      numComments: 0,
    });
    const post: WorldPost = { row, comments: [], story: row.id, isEdited: false, isListed: true };
    this.authors.set(row.id, author);
    for (let count = this.random.below(3); count > 0; count -= 1) this.comment(post, now);
    return post;
  }

  /** Publishes a post once more, which links to the same page, unless its text has changed since. */
  private repost({ row, story, isEdited }: WorldPost, forum: string, now: number): void {
    if (isEdited || row.url === null) return;
    const post = this.post(forum, now, row.author);
    const { title, selftext, url } = row;
    post.row = { ...post.row, title, selftext, url };
    this.posts.get(forum)!.push({ ...post, story });
  }

  private comment(post: WorldPost, now: number): void {
    const { id, permalink, forum } = post.row;
    const times = { createdUtc: new Date(now), scrapedAt: new Date(now) };
    const author = this.random.pick(AUTHORS);
    const body = `Reply of ${author} on ${this.random.pick(WORDS)}`;
    const place = { postId: id, postPermalink: permalink, forum, parentId: id, author };
    const comment = aComment((this.number += 1), { ...place, ...times, body });
    this.authors.set(comment.commentId, author);
    this.comments.push(comment);
    post.comments = [...post.comments, comment];
    post.row = { ...post.row, numComments: post.comments.length };
  }

  private schedule(workspaceId: string, target: string): WorldSchedule {
    const { random } = this;
    const like = random.chance(0.5) ? this.schedules.at(-1) : undefined;
    if (like !== undefined) return { ...like, workspaceId, id: random.uuid(), target };
    return {
      workspaceId,
      id: random.uuid(),
      target,
      mode: random.pick(['full', 'full', 'monitor', 'history']),
      cronExpression: random.pick(CRONS),
      config: {
        timezone: random.pick(ZONES),
        overlap: random.pick(['skip', 'queue']),
        jitter_seconds: random.pick([0, 0, 240]),
        scrape_comments: true,
        download_media: false,
        limit: random.pick([100, 100, 10]),
      },
    };
  }

  private alert(workspaceId: string): WorldAlert {
    const { random } = this;
    const own = this.schedules.filter((schedule) => schedule.workspaceId === workspaceId);
    const like = random.chance(0.3) ? this.alerts.at(-1) : undefined;
    const keywords = [...new Set([random.pick(WORDS), random.pick(WORDS)])];
    const id = random.uuid();
    return {
      workspaceId,
      id,
      recipients: random.chance(0.4) ? MAILBOXES.map((name) => `${name}-${id}@example.org`) : [],
      keywords,
      settings: [{ from: -Infinity, to: -Infinity, keywords }],
      of: random.pick(['posts', 'comments', 'all']),
      forums: random.chance(0.3) ? [random.pick(FORUMS)] : [],
      delivery: like?.delivery ?? (random.chance(0.2) ? null : this.plan(random.pick(own))),
      foldDuplicates: random.chance(0.4),
    };
  }

  private plan({ cronExpression, config }: WorldSchedule): DeliveryPlan {
    const { random } = this;
    // Half of the limits are where jobs begin.
    const [minute, hours] = cronExpression.split(' ').map((field) => /^\d+/.exec(field)?.[0] ?? '0') as [
      string,
      string,
    ];
    const begins = `${hours.padStart(2, '0')}:${minute.padStart(2, '0')}`;
    return {
      every: random.pick(['match', 'match', 'hour', 'day', 'day', 'week']),
      at: random.chance(0.5) ? begins : this.time(),
      weekday: random.pick(['monday', 'thursday', 'sunday']),
      timezone: random.chance(0.5) ? config.timezone : random.pick(ZONES),
      quiet: random.chance(0.5) ? { from: random.pick(['22:00', begins, begins]), to: this.time() } : null,
      max_per_hour: random.chance(0.5) ? 1 + random.below(2) : null,
    };
  }

  private time(): string {
    return `0${this.random.below(10)}:${this.random.pick(['00', '30'])}`;
  }

  private receiver(kind: WorldReceiver['kind'], workspaceId: string, id: string): void {
    const path = `/${kind}/${id}`;
    const state = { brokenUntil: 0, breakage: 0 };
    this.receivers.set(path, { path, workspaceId, id, kind, ...state });
  }
}
