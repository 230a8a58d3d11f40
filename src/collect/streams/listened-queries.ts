import { Injectable, Logger } from '@nestjs/common';
import { mapInSlices } from '../../common/slices.js';
import { type Listener, Listeners } from '../../tenants/ports/listeners.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { keyOfListener, SourceQueries, type SourceQueriesByKey, type SourceQuery } from './source-queries.js';
import { StreamsRepository } from './streams.repository.js';
import { ListenersRepository } from './listeners.repository.js';

/** Changes of listeners take effect after this time. */
const MAX_AGE_MS = 1_000;

/** The queries of all active workspaces that listen, at most a second old. */
@Injectable()
export class ListenedQueries {
  private readonly logger = new Logger(ListenedQueries.name);
  private version: string | null = null;
  private checkedAt = -Infinity;
  private readonly sources = new Map<string, Promise<SourceQueries>>();
  /** Sources whose queries are compiled again in the background. */
  private readonly renewing = new Set<string>();
  /** By source. */
  private wanted: ReadonlyMap<string, SourceQueriesByKey> = new Map();
  /** Sources that were asked for since the queries changed last. */
  private readonly asked = new Set<string>();
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
    this.asked.add(source);
    return this.sources.get(source) ?? this.put(source, SourceQueries.compile(this.wantedBy(source)));
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
      const before = this.wanted;
      this.wanted = await wantedOf(listeners, searches);
      this.version = version;
      for (const [source, queries] of this.sources)
        if (!this.asked.has(source)) this.sources.delete(source);
        else if (!hasSameKeys(before.get(source), this.wanted.get(source))) this.change(source, queries);
      this.asked.clear();
    }
    this.checkedAt = performance.now();
  }

  private wantedBy(source: string): SourceQueriesByKey {
    return this.wanted.get(source) ?? new Map();
  }

  /** Compiles new queries at once; all of them in the background when many changed, while the source is read on. */
  private change(source: string, before: Promise<SourceQueries>): void {
    const wanted = this.wantedBy(source);
    const changed = this.put(
      source,
      before.then((queries) => queries.changed(wanted)),
    );
    changed
      .then(({ isWorn }) => (isWorn ? this.renew(source) : undefined))
      .catch((error: unknown) => this.logger.warn({ err: error, source }, 'queries not compiled'));
  }

  private async renew(source: string): Promise<void> {
    if (this.renewing.has(source)) return;
    this.renewing.add(source);
    try {
      const renewed = await SourceQueries.compile(this.wantedBy(source));
      // Listeners may have changed meanwhile.
      await this.put(source, renewed.changed(this.wantedBy(source)));
    } finally {
      this.renewing.delete(source);
    }
  }

  /** Queries that could not be compiled are compiled again with the next text. */
  private put(source: string, queries: Promise<SourceQueries>): Promise<SourceQueries> {
    this.sources.set(source, queries);
    queries.catch(() => this.sources.get(source) === queries && this.sources.delete(source));
    return queries;
  }
}

/** The queries of listeners, in slices, and those of topics, by source. */
async function wantedOf(
  listeners: readonly Listener[],
  searches: readonly { source: string; topic: string }[],
): Promise<Map<string, SourceQueriesByKey>> {
  const wanted = new Map<string, Map<string, SourceQuery>>();
  const add = (source: string, key: string, query: SourceQuery): void =>
    void wanted.set(source, (wanted.get(source) ?? new Map<string, SourceQuery>()).set(key, query));
  await mapInSlices(listeners, (listener) => {
    const key = keyOfListener(listener);
    for (const source of listener.listen) add(source, key, listener);
  });
  for (const { source, topic } of searches) add(source, topic, { topic });
  return wanted;
}

const hasSameKeys = (one: SourceQueriesByKey = new Map(), other: SourceQueriesByKey = new Map()): boolean =>
  one.size === other.size && [...one.keys()].every((key) => other.has(key));
