import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { onOneLine } from '../../../common/json-line.js';
import { type EventStream, EventStreams } from '../../../http/files/event-streams.js';
import { Problem } from '../../../http/problems/problem.js';
import {
  type ArrivalPosition,
  positionBefore,
  positionText,
  readPosition,
} from '../../../content/arrivals/arrival-position.js';
import { ArrivalsRepository } from '../../../content/arrivals/arrivals.repository.js';
import { InactiveWorkspaces } from '../../../tenants/workspaces/inactive-workspaces.js';
import type { SavedSearch } from '../saved-search.entity.js';
import { SavedSearchesRepository } from '../saved-searches.repository.js';
import { ArrivedResults } from './arrived-results.js';

const POLL_MS = 500;
/** Maximum number of rows that are read for a stream before the other streams have their turn, and at once. */
const ROWS_OF_TURN = 1_000;
const ROWS_AT_ONCE = 50;
const ARRIVALS_AT_ONCE = 20;
/** How many times 50 ms a new stream waits until earlier rows can be read. */
const START_WAITS = 40;

/** One server-sent event, as Nest writes it. */
export interface SearchEvent {
  type: 'post' | 'comment' | 'heartbeat';
  /** The position after the event, from which a stream is resumed. */
  id: string;
  /** JSON on one line. */
  data: string;
}

/** A saved search, and where its stream begins. */
export interface StreamStart {
  search: SavedSearch;
  position: ArrivalPosition;
}

interface StreamState {
  searchId: string;
  position: ArrivalPosition;
}

type SearchStream = EventStream<SearchEvent, StreamState>;

/**
 * Streams new results of saved searches. A stream reads stored rows in the order of transactions that have all
 * ended, so that it neither loses nor repeats a row, whatever commits when and wherever it is resumed.
 */
@Injectable()
export class SearchStreams implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SearchStreams.name);
  private readonly streams: EventStreams<SearchEvent, StreamState>;

  constructor(
    private readonly searches: SavedSearchesRepository,
    private readonly arrivals: ArrivalsRepository,
    private readonly results: ArrivedResults,
    inactive: InactiveWorkspaces,
  ) {
    this.streams = new EventStreams({
      pollMs: POLL_MS,
      read: (workspaceId, streams) => this.read(workspaceId, streams),
      heartbeat,
      isInactive: (workspaceId) => inactive.has(workspaceId),
      onError: (error) => this.logger.warn({ err: error }, 'reading of new results failed'),
    });
  }

  /**
   * The position of a `Last-Event-ID`; the present for none, and for one that this database never gave. What was stored
   * before the present can then be read. @throws Problem 503
   */
  async positionOf(workspaceId: string, lastEventId: string | undefined): Promise<ArrivalPosition> {
    const [given, horizon] = [readPosition(lastEventId), await this.arrivals.horizon()];
    if (given !== null && BigInt(given.xid) <= BigInt(horizon)) return given;
    if (!(await this.results.areReadable(workspaceId, START_WAITS)))
      throw new Problem(
        'unavailable',
        'A node of the database has not yet committed its last rows. Try again later.',
        { headers: { 'Retry-After': '5' } },
      );
    return positionBefore(horizon);
  }

  /** Emits a heartbeat with the position now, then new results, until the search is deleted. @throws Problem 503 */
  follow({ search, position }: StreamStart, isStillAllowed: () => Promise<boolean>): Observable<SearchEvent> {
    const state = { searchId: search.id, position };
    return this.streams.open(search.workspaceId, state, isStillAllowed, (stream) =>
      stream.send(heartbeat(state)),
    );
  }

  beforeApplicationShutdown(): void {
    this.streams.endAll();
  }

  private async read(workspaceId: string, streams: readonly SearchStream[]): Promise<boolean> {
    const ids = streams.map(({ state }) => state.searchId);
    const searches = new Map((await this.searches.findAll(workspaceId, ids)).map((one) => [one.id, one]));
    const oldest = streams.map(({ state }) => BigInt(state.position.xid)).reduce((a, b) => (a < b ? a : b));
    const { horizon, hasAny } = await this.arrivals.look(workspaceId, String(oldest));
    const isReadable = !hasAny || (await this.results.areReadable(workspaceId));
    let hasMore = false;
    for (const stream of streams) {
      const search = searches.get(stream.state.searchId);
      if (search === undefined) stream.end();
      else if (!hasAny) stream.state.position = positionBefore(horizon);
      else if (isReadable && (await this.advance(stream, search, horizon))) hasMore = true;
    }
    return hasMore;
  }

  /** Sends the arrivals between the stream's position and the horizon; returns whether there is more. */
  private async advance(stream: SearchStream, search: SavedSearch, horizon: string): Promise<boolean> {
    const { workspaceId, state } = stream;
    const start = state.position;
    const range = { horizon, limit: ARRIVALS_AT_ONCE };
    const arrivals = await this.arrivals.from(workspaceId, search.of, start, range);
    let read = 0;
    for (const { xid, seq, rowIds } of arrivals) {
      const isStart = xid === start.xid && seq === start.seq;
      for (let at = isStart ? start.rows : 0; at < rowIds.length; at += ROWS_AT_ONCE) {
        if (stream.isClosed) return false;
        if (read >= ROWS_OF_TURN) return true;
        const slice = rowIds.slice(at, at + ROWS_AT_ONCE);
        const found = await this.results.find(workspaceId, search, slice);
        slice.forEach((rowId, index) => {
          const data = found.get(rowId);
          if (data !== undefined)
            stream.send({
              type: search.of === 'posts' ? 'post' : 'comment',
              id: positionText({ xid, seq, rows: at + index + 1 }),
              data: onOneLine(JSON.stringify(data)),
            });
        });
        state.position = { xid, seq, rows: at + slice.length };
        read += slice.length;
      }
    }
    if (arrivals.length === ARRIVALS_AT_ONCE) return true;
    state.position = positionBefore(horizon);
    return false;
  }
}

const heartbeat = ({ position }: StreamState): SearchEvent => ({
  type: 'heartbeat',
  id: positionText(position),
  data: '{}',
});
