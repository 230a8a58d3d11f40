import type { Environment } from '../config/environment.js';
import type { OutboundHttpClient } from '../infrastructure/outbound-http/outbound-http-client.js';
import type { RateLimit, RequestBudget } from './http/request-budget.js';
import type { PlatformLog, TimeOverrides } from './http/with-retry.js';
import type { Platform, PlatformErrorCode, Target, TargetType } from './platform.js';

/** One way to write a target of a source. */
export interface TargetForm {
  /** With variable parts in capitals: `hn:NAME`. */
  form: string;
  example: string;
  targetType: TargetType;
  /** What such a target holds, as a phrase. */
  description: string;
}

/** How a query names what it listens to. Normal forms begin with the name of the source. */
export interface ListeningForm {
  /** With variable parts in capitals: `SOURCE:SITE`. */
  form: string;
  example: string;
  /** The normal form of what follows the colon, a site or an address; null for a text that is none. Absent for the whole source. */
  placeOf?: (text: string) => string | null;
  /** For how many seconds a reading counts as live; absent: 60. */
  liveSeconds?: number;
}

/** The normal form of a target's name on its platform, or why the source cannot have it: one sentence with the remedy. */
export type ParsedTarget = { target: Target } | { refusal: string };

/** How the ids of a source's content are written. All ids of a source begin with one of its two prefixes. */
export interface IdForms {
  /** Prefix of posts, up to and with its `_`: `t3_`. */
  post: string;
  /** Prefix of comments: `t1_`. */
  comment: string;
  /** The beginning of the ids of an account's content, where ids contain the account; null for an id of another form. */
  accountOf?: (id: string) => string | null;
  /**
   * Exact numbers of comments, within a range that no other source uses. Without it, the number of a comment is a hash
   * of its id.
   */
  numbers?: CommentNumbers;
}

/** A range of safe integers, and the number of each comment of a source in it. */
export interface CommentNumbers {
  /** Inclusive. */
  from: number;
  /** Exclusive. */
  to: number;
  /** Null for an id of another form. */
  of: (commentId: string) => number | null;
}

/** A target found by an address that a person copied from a browser. */
export interface ResolvedTarget {
  /** As jobs accept it, prefix included. */
  target: string;
  targetType: TargetType;
  /** What people call it: `r/technology`. */
  name: string;
}

/** The target at an address, or why an address of the platform names none: one sentence with the remedy. */
export type Resolution = ResolvedTarget | { refusal: string };

/** The holder of a request limit, and the limit. */
export interface BudgetRule {
  /** Unique over all sources: the name of the source, or a client id. */
  key: string;
  limit: RateLimit;
}

/** What a platform is made from. */
export interface PlatformContext {
  environment: Environment;
  /** The `User-Agent` of all requests. */
  userAgent: string;
  /** The client for addresses that users name: it reaches no private address. */
  outbound: OutboundHttpClient;
  /** The shared budget of the source, or of one of its sites (a lower-case host name). */
  budget: (site?: string) => RequestBudget;
  /** A log with the given context. */
  logAs: (context: string) => PlatformLog;
  /** Overrides of sleep, clock and random source of retries, for tests. */
  dependencies?: TimeOverrides;
}

/** What the ids of stored content say about it. */
export interface ContentSource {
  /** Name in job progress, metrics and filters: `hackernews`. */
  source: string;
  /** Name in messages for people: `Hacker News`. */
  name: string;
  ids: IdForms;
  /**
   * Whether names of the given type that differ only in case are different: of targets, and for `user` of the authors of
   * posts and comments, too.
   */
  isCaseSensitive: (type: TargetType) => boolean;
  /** Origin of the address of its posts, to which their permalink is appended; `{site}` is the site within the post's id. */
  origin: string;
  /** Origins of sites that differ from {@link origin}, by the site within the post's id. */
  origins?: Readonly<Record<string, string>>;
  /** A shorter path to the same post as a very long permalink; null if there is none. */
  shortPath?: (permalink: string) => string | null;
  /** What the terms of the source say about using its content, as a sentence. */
  licence?: string;
}

/** The source of invented content. */
export interface SyntheticSource extends ContentSource {
  /** Whether a synthetic platform serves the targets of the real one. */
  isUsed: (environment: Environment) => boolean;
}

/**
 * One source platform: all that the rest of the service knows of it. Validation, budgets, texts, `GET /sources`, the
 * dashboard and the documentation are derived from it. Its variables are declared in `src/config/platforms`.
 */
export interface PlatformDefinition extends ContentSource {
  /** The prefix of its targets without the colon, in lower case; null for the source of targets without a prefix. */
  prefix: string | null;
  targets: readonly TargetForm[];
  /** Parses a target without its prefix. */
  parseTarget: (target: Target) => ParsedTarget;
  /**
   * The forum of stored posts that a name without its prefix stands for, or why no post has it. Every name when absent:
   * posts then have the forum that the target names.
   */
  parseForum?: (name: string) => { name: string } | { refusal: string };
  /**
   * The target, without its prefix, that reads what is said about a subject where posts have this forum; for sources
   * whose forums are no targets.
   */
  searchIn?: (forum: string, subject: { name: string; q: string }) => string;
  /** The source of what a synthetic platform in its place invents. Its ids begin with those of this source. */
  synthetic?: SyntheticSource;
  /** Why it cannot be read with these variables, as a sentence with the remedy; null when it can. */
  obstacle?: (environment: Environment) => string | null;
  /** What its content lacks with these variables only, as a phrase; null for nothing. */
  missing?: (environment: Environment) => string | null;
  /** How queries `listen` to it; absent where it cannot be read as a whole. */
  listening?: ListeningForm;
  /** Whether it has many sites, each with its own budget. */
  hasSites: boolean;
  /** The request limit; of one site, if it has sites. */
  budget: (environment: Environment, site: string | null) => BudgetRule;
  /** What to do about an error, or about a wait for the budget, where it differs from the general advice. */
  remedies: Readonly<Partial<Record<PlatformErrorCode | 'budget', string>>>;
  /** What its content lacks in comparison, as phrases: `scores of comments`. */
  lacks: readonly string[];
  /** The target at an address of the platform; null for any other address, and for one that takes requests to find it. */
  resolve: (url: URL) => Resolution | null;
  /** The address of a page for an identifier that is none (`at://…`); null for any other text. */
  addressOf?: (text: string) => string | null;
  /** What the modes of jobs mean where they differ from the general meaning, as phrases. */
  modes?: Readonly<Partial<Record<'full' | 'history' | 'monitor', string>>>;
  create: (context: PlatformContext) => Platform;
}
