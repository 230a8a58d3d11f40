import { Injectable } from '@nestjs/common';
import { AlertMatcher } from '../../alerts/matching/alert-matcher.js';
import { recordOf, recordOfComment } from '../../alerts/matching/alertable-record.js';
import { watches } from '../../alerts/alert/alert-scope.js';
import { SEARCH_TOPIC, type StreamText } from '../../platforms/stream-batch.js';
import { type Listener, Listeners } from '../../tenants/ports/listeners.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { languageOf } from '../../text/language/stated-language.js';
import type { Heard } from './heard-texts.repository.js';
import { StreamsRepository } from './streams.repository.js';
import { ListenersRepository } from './listeners.repository.js';

/** Changes of listeners take effect after this time. */
const MAX_AGE_MS = 1_000;

/** Who a text concerns: listeners by workspace, and topics that are searches. */
export interface Match {
  heard: Heard[];
  topics: string[];
}

/** The queries that listen to a source, and those of topics, compiled together: a text is read once for all of them. */
export class SourceQueries {
  private constructor(
    private readonly listeners: readonly Listener[],
    private readonly topics: readonly string[],
    private readonly posts: AlertMatcher,
    private readonly comments: AlertMatcher,
  ) {}

  static async compile(listeners: readonly Listener[], topics: readonly string[]): Promise<SourceQueries> {
    const ofTopics = topics.map((topic) => ({
      ...{ of: 'posts' as const, keywords: [], forums: [] },
      query: topic.slice(SEARCH_TOPIC.length),
    }));
    // The number of a query is its place among both.
    const numbered = [...listeners, ...ofTopics].map((query, number) => ({ ...query, id: String(number) }));
    const of = (kind: 'posts' | 'comments') => numbered.filter((listener) => watches(listener.of, kind));
    const [posts, comments] = [
      await AlertMatcher.compile(of('posts')),
      await AlertMatcher.compile(of('comments')),
    ];
    return new SourceQueries(listeners, topics, posts, comments);
  }

  /** The workspaces with listeners, and the topics, that a text matches. */
  match(text: StreamText): Match {
    const { id, isComment, title, text: body, languages, post, ...fields } = text;
    const { language } = languageOf(`${title}\n${body}`, languages);
    const matches = isComment
      ? this.comments.match(recordOfComment({ ...fields, commentId: id, body, language }))
      : this.posts.match(recordOf({ ...fields, id, title, selftext: body, language }));
    const heard = new Map<string, Heard>();
    const topics: string[] = [];
    for (const { alertId } of matches) {
      const number = Number(alertId);
      if (number >= this.listeners.length) {
        topics.push(this.topics[number - this.listeners.length]!);
        continue;
      }
      const { workspaceId, id: listenerId } = this.listeners[number]!;
      const one = heard.get(workspaceId) ?? { workspaceId, id, isComment, post, listenerIds: [] };
      one.listenerIds.push(listenerId);
      heard.set(workspaceId, one);
    }
    return { heard: [...heard.values()], topics };
  }
}

/** The queries of all active workspaces that listen, at most a second old. */
@Injectable()
export class ListenedQueries {
  private version: string | null = null;
  private checkedAt = -Infinity;
  private sources = new Map<string, Promise<SourceQueries>>();
  private listeners: readonly Listener[] = [];
  private searches: readonly { source: string; topic: string }[] = [];
  private checking: Promise<void> | null = null;

  constructor(
    private readonly registered: Listeners,
    private readonly inactive: InactiveWorkspaces,
    private readonly repository: ListenersRepository,
    private readonly streams: StreamsRepository,
  ) {}

  /** The compiled queries that listen to a source. */
  async of(source: string): Promise<SourceQueries> {
    await this.refresh();
    let queries = this.sources.get(source);
    if (queries === undefined) {
      queries = SourceQueries.compile(
        this.listeners.filter(({ listen }) => listen.includes(source)),
        this.searches.filter((search) => search.source === source).map(({ topic }) => topic),
      );
      this.sources.set(source, queries);
      queries.catch(() => this.sources.delete(source));
    }
    return queries;
  }

  /** Reads the listeners when they changed, and stores which there are, for the reader and for `listening`. */
  async refresh(): Promise<void> {
    if (performance.now() - this.checkedAt < MAX_AGE_MS) return;
    this.checking ??= this.check().finally(() => (this.checking = null));
    await this.checking;
  }

  private async check(): Promise<void> {
    // Read before the listeners: a change in between is found by the next check.
    const searches = await this.streams.searches();
    const version = JSON.stringify([await this.registered.version(), this.inactive.ids, searches]);
    if (version !== this.version) {
      const all = await this.registered.list();
      const listeners = all.filter(({ workspaceId }) => !this.inactive.has(workspaceId));
      await this.repository.set(listeners);
      this.listeners = listeners;
      this.searches = searches;
      this.sources = new Map();
      this.version = version;
    }
    this.checkedAt = performance.now();
  }
}
