import { Injectable } from '@nestjs/common';
import { AlertMatcher } from '../../alerts/matching/alert-matcher.js';
import { recordOf, recordOfComment } from '../../alerts/matching/alertable-record.js';
import { watches } from '../../alerts/alert/alert-scope.js';
import type { StreamText } from '../../platforms/stream-batch.js';
import { type Listener, Listeners } from '../../tenants/ports/listeners.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { languageOf } from '../../text/language/stated-language.js';
import { ListenersRepository } from './listeners.repository.js';

/** Changes of listeners take effect after this time. */
const MAX_AGE_MS = 1_000;

/** A text that matched, and for whom. */
export interface Heard {
  workspaceId: string;
  id: string;
  isComment: boolean;
  /** Of the workspace's listeners whose queries match. */
  listenerIds: string[];
}

/** The queries that listen to a source, compiled together: a text is read once for all of them. */
export class SourceQueries {
  private constructor(
    private readonly listeners: readonly Listener[],
    private readonly posts: AlertMatcher,
    private readonly comments: AlertMatcher,
  ) {}

  static async compile(listeners: readonly Listener[]): Promise<SourceQueries> {
    const numbered = listeners.map((listener, number) => ({ ...listener, id: String(number) }));
    const of = (kind: 'posts' | 'comments') => numbered.filter((listener) => watches(listener.of, kind));
    const [posts, comments] = [
      await AlertMatcher.compile(of('posts')),
      await AlertMatcher.compile(of('comments')),
    ];
    return new SourceQueries(listeners, posts, comments);
  }

  /** The workspaces with listeners that a text matches. */
  match(text: StreamText): Heard[] {
    const { id, isComment, title, text: body, languages, ...fields } = text;
    const { language } = languageOf(`${title}\n${body}`, languages);
    const matches = isComment
      ? this.comments.match(recordOfComment({ ...fields, commentId: id, body, language }))
      : this.posts.match(recordOf({ ...fields, id, title, selftext: body, language }));
    const heard = new Map<string, Heard>();
    for (const { alertId } of matches) {
      const { workspaceId, id: listenerId } = this.listeners[Number(alertId)]!;
      const one = heard.get(workspaceId) ?? { workspaceId, id, isComment, listenerIds: [] };
      one.listenerIds.push(listenerId);
      heard.set(workspaceId, one);
    }
    return [...heard.values()];
  }
}

/** The queries of all active workspaces that listen, at most a second old. */
@Injectable()
export class ListenedQueries {
  private version: string | null = null;
  private checkedAt = -Infinity;
  private sources = new Map<string, Promise<SourceQueries>>();
  private listeners: readonly Listener[] = [];
  private checking: Promise<void> | null = null;

  constructor(
    private readonly registered: Listeners,
    private readonly inactive: InactiveWorkspaces,
    private readonly repository: ListenersRepository,
  ) {}

  /** The compiled queries that listen to a source. */
  async of(source: string): Promise<SourceQueries> {
    await this.refresh();
    let queries = this.sources.get(source);
    if (queries === undefined) {
      queries = SourceQueries.compile(this.listeners.filter(({ listen }) => listen.includes(source)));
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
    const version = `${await this.registered.version()} ${this.inactive.ids.join()}`;
    if (version !== this.version) {
      const all = await this.registered.list();
      const listeners = all.filter(({ workspaceId }) => !this.inactive.has(workspaceId));
      await this.repository.set(listeners);
      [this.listeners, this.sources, this.version] = [listeners, new Map(), version];
    }
    this.checkedAt = performance.now();
  }
}
