import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { sharedPath } from '../support/shared-folder.js';

/** The results of a complete walk of a target, and the fewest requests for it. */
export interface ExpectedWalk {
  site: string;
  target: string;
  targetType: 'forum' | 'user';
  posts: string[];
  comments: string[];
  requests: number;
  missing: number;
}

type Expected = Record<string, unknown> & { target: string; target_type: 'forum' | 'user' };
type Ids = (string | number)[];

/** A source with many sites, of which there are recordings. A new source is added here. */
interface RecordedSource {
  source: string;
  /** Options of a replay that stand for other versions of the software. */
  variants: string[][];
  prefix: string;
  /** Sites with the options by which a replay serves them. */
  sites: Record<string, string[]>;
  /** Requests by which a replay deletes a post or comment. */
  deletions: { post: (id: string) => string; comment: (id: string) => string };
  /** The variable with the address of a source that has one site. */
  variable?: string;
  /** The id of recorded content, where it is not `PREFIX_SITE_NUMBER`. */
  idOf?: (recorded: string) => string;
  walkOf: (expected: Expected) => { site: string; target: string; missing?: number; requests?: number };
}

const SOURCES: RecordedSource[] = [
  {
    source: 'discourse',
    variants: [['--feed-window']],
    deletions: { post: (id) => `/__delete?topic=${id}`, comment: (id) => `/__delete?id=${id}` },
    prefix: 'dc_',
    sites: { 'forum.example': [] },
    walkOf: ({ target, target_type, frugal_requests_by_posts_feed }) => {
      const path =
        target_type === 'user'
          ? `/u/${target}`
          : target.replace(/^category:/, 'c/').replace(/^(?=[ct])/, '/');
      // The feed lacks hidden posts and notes, so seven topics with these take a request each.
      const byFeed = frugal_requests_by_posts_feed as number | undefined;
      return {
        site: 'forum.example',
        target: `discourse:forum.example${path.replace('latest', '')}`,
        ...(byFeed !== undefined && { requests: byFeed + 7 }),
      };
    },
  },
  {
    source: 'lemmy',
    deletions: { post: (id) => `/__delete?post=${id}`, comment: (id) => `/__remove?comment=${id}` },
    variants: [
      ['--version', '0.18.5'],
      ['--version', '0.19.14', '--tree-cap', '20'],
      ['--version', '1.0.0', '--tree-cap', '20'],
    ],
    prefix: 'lm_',
    sites: { 'lemmy.example': [] },
    walkOf: ({ target, target_type, frugal_requests, posts, comments }) => {
      // Only an empty page is certainly the last.
      const byThread = (frugal_requests as number) + 1;
      const pages = (items: number): number => Math.ceil(items / 50);
      const byList = pages(comments as number) + pages((posts as Ids).length) + 2;
      return {
        site: 'lemmy.example',
        target: `lemmy:${target}@lemmy.example`,
        requests: target_type === 'user' ? byThread : Math.min(byThread, byList),
      };
    },
  },
  {
    source: 'mastodon',
    variants: [],
    deletions: { post: (id) => `/__delete?id=${id}`, comment: (id) => `/__delete?id=${id}` },
    prefix: 'md_',
    sites: Object.fromEntries(
      ['mastodon.social', 'social.tchncs.de', 'fosstodon.org', 'emacs.ch'].map((site) => [
        site,
        ['--instance', site],
      ]),
    ),
    walkOf: ({ target, target_type, instance, missing_for_visitors, frugal_requests }) => ({
      site: instance as string,
      // A timeline of many accounts links on from its last page.
      requests: (frugal_requests as number) + (target_type === 'forum' ? 1 : 0),
      target: `mastodon:${target.replace(/^@/, '')}@${instance as string}`,
      missing: missing_for_visitors as number,
    }),
  },
  {
    source: 'bluesky',
    variants: [
      ['--last-cursor', 'off'],
      ['--max-depth', '3'],
    ],
    prefix: 'bs_',
    variable: 'BLUESKY_APPVIEW_URL',
    sites: { 'bsky.app': [] },
    deletions: { post: (id) => `/__delete?id=${uriOf(id)}`, comment: (id) => `/__delete?id=${uriOf(id)}` },
    idOf: (uri) => uri.replace('at://', 'bs_').replace('/app.bsky.feed.post/', '_'),
    walkOf: ({ target, hidden_by_block, frugal_requests }) => ({
      site: 'bsky.app',
      target: `bsky:${target}`,
      missing: (hidden_by_block as Ids).length,
      // Only an empty page is certainly the last.
      requests: (frugal_requests as number) + 1,
    }),
  },
];

/** A recorded source, served over HTTP by processes of its own. */
export class RecordedSites {
  private readonly children: ChildProcess[] = [];
  /** Addresses by site. */
  readonly addresses = new Map<string, string>();

  private constructor(private readonly recorded: RecordedSource) {}

  static async start(source: string, ...options: string[]): Promise<RecordedSites> {
    const replay = new RecordedSites(SOURCES.find((one) => one.source === source)!);
    for (const [site, own] of Object.entries(replay.recorded.sites)) {
      const program = sharedPath(recordingsOf(source), 'replay.mjs');
      const child = spawn(process.execPath, [program, ...own, ...options], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      replay.children.push(child);
      const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
      replay.addresses.set(site, address);
    }
    return replay;
  }

  /** The variable with the address of a source that has one site. */
  get variable(): string | undefined {
    return this.recorded.variable;
  }

  /** The variables by which the service asks these sites. */
  get variables(): Record<string, string> {
    const { variable } = this.recorded;
    const addresses = [...this.addresses].map(([site, address]) => `${site}=${address}`).join(',');
    return {
      ...(variable ? { [variable]: [...this.addresses.values()][0]! } : { SOURCE_SITES: addresses }),
      SOURCE_REQUESTS_PER_MINUTE: '1000000',
      SOURCE_IGNORE_NOINDEX: 'true',
    };
  }

  /** Deletes a post or comment on its site. */
  async delete(kind: 'post' | 'comment', id: string): Promise<void> {
    const [, site = '', number = ''] = /^[a-z]+_(.+)_(\w+)$/.exec(id) ?? [];
    const { deletions, variable } = this.recorded;
    const [address] = variable ? this.addresses.values() : [this.addresses.get(site)];
    await fetch(`${address}${deletions[kind](variable ? id : number)}`, { method: 'POST' });
  }

  get expected(): ExpectedWalk[] {
    const { prefix, source, walkOf, idOf } = this.recorded;
    const file = JSON.parse(readFileSync(sharedPath(recordingsOf(source), 'expected.json'), 'utf8')) as
      Expected[] | { targets: Expected[] };
    const all = Array.isArray(file) ? file : file.targets;
    // A hashtag has no listing: its posts come as a stream.
    const listed = all.filter(({ needs }) => needs === undefined);
    return listed.map((one) => {
      const { site, target, missing = 0, requests = one.frugal_requests as number } = walkOf(one);
      const ids = (list: unknown): string[] =>
        (list as Ids).map((id) => idOf?.(String(id)) ?? `${prefix}${site}_${id}`).sort();
      return {
        site,
        target,
        targetType: one.target_type,
        posts: ids(one.posts),
        comments: ids(one.comment_ids),
        requests,
        missing,
      };
    });
  }

  async stop(): Promise<void> {
    for (const child of this.children) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  }
}

/** The sources with recordings of many sites. */
export const recordedSources = SOURCES.map(({ source }) => source);

/** The folder with the recordings of a source. */
export const recordingsOf = (source: string): string => `recordings-${source}`;

/** The further versions of a source's software: a name, and the options of a replay. */
export function variantsOf(source: string): [string, string[]][] {
  const { variants = [] } = SOURCES.find((one) => one.source === source) ?? {};
  return variants.map((options) => [options.join(' '), options]);
}

/** The AT-URI of a post of Bluesky. */
function uriOf(id: string): string {
  const [, did, key] = /^bs_(.+?)_(.+)$/.exec(id)!;
  return encodeURIComponent(`at://${did}/app.bsky.feed.post/${key}`);
}
