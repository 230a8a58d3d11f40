import { Observable, type Subscriber } from 'rxjs';
import { groupBy } from '../../common/collections.js';
import { PollingLoop } from '../../common/polling-loop.js';
import { Problem } from '../problems/problem.js';

/** Interval of heartbeats, which keep proxies from closing an idle stream. */
const HEARTBEAT_MS = 15_000;
/** Above the quotas of ten workspaces, so that a few cannot use up a process. */
const MAX_STREAMS = 1_000;
/** Interval at which the key and session of each stream are checked again. */
const CHECK_MS = 5_000;

/** One open stream of server-sent events. */
export class EventStream<Event, State> {
  private lastSentAt = 0;
  private checkedAt = performance.now();

  constructor(
    readonly workspaceId: string,
    /** State that the source of events keeps for the stream. */
    readonly state: State,
    private readonly isStillAllowed: () => Promise<boolean>,
    private readonly subscriber: Subscriber<Event>,
  ) {}

  get isClosed(): boolean {
    return this.subscriber.closed;
  }

  send(event: Event): void {
    this.lastSentAt = performance.now();
    this.subscriber.next(event);
  }

  end(): void {
    this.subscriber.complete();
  }

  /** Whether nothing was sent for so long that a heartbeat is due. */
  isIdle(): boolean {
    return !this.isClosed && performance.now() - this.lastSentAt >= HEARTBEAT_MS;
  }

  /** Whether key and session may still read; looks every five seconds. */
  async isAllowed(): Promise<boolean> {
    const now = performance.now();
    if (now - this.checkedAt < CHECK_MS) return true;
    this.checkedAt = now;
    return this.isStillAllowed();
  }
}

/** Where the events of streams come from. */
export interface EventSource<Event, State> {
  pollMs: number;
  /** Reads once for all streams of a workspace and sends or ends; returns whether there is more to read. */
  read: (workspaceId: string, streams: readonly EventStream<Event, State>[]) => Promise<boolean>;
  heartbeat: (state: State) => Event;
  isInactive: (workspaceId: string) => boolean;
  onError: (error: unknown) => void;
}

/** The open event streams of a process, which one loop reads while there are any. */
export class EventStreams<Event, State> {
  private readonly streams = new Set<EventStream<Event, State>>();
  private loop: PollingLoop | null = null;

  constructor(private readonly source: EventSource<Event, State>) {}

  /**
   * Opens a stream; `begin` may send its first event. It ends when the workspace is suspended or `isStillAllowed`, which
   * is called every five seconds, returns false. @throws Problem 503
   */
  open(
    workspaceId: string,
    state: State,
    isStillAllowed: () => Promise<boolean>,
    begin: (stream: EventStream<Event, State>) => void,
  ): Observable<Event> {
    if (this.streams.size >= MAX_STREAMS)
      throw new Problem(
        'unavailable',
        `This process already serves its maximum of ${MAX_STREAMS} event streams. Try again later.`,
        { headers: { 'Retry-After': '5' } },
      );
    return new Observable((subscriber) => {
      const stream = new EventStream(workspaceId, state, isStillAllowed, subscriber);
      this.streams.add(stream);
      // After a failure the streams stay open; the next poll sends the missed events.
      this.loop ??= new PollingLoop(() => this.poll(), this.source.pollMs, this.source.onError);
      this.loop.wake();
      begin(stream);
      return () => this.remove(stream);
    });
  }

  /** Ends all streams, e.g. before the HTTP server closes, because it waits for open responses. */
  endAll(): void {
    for (const stream of this.streams) stream.end();
  }

  private remove(stream: EventStream<Event, State>): void {
    this.streams.delete(stream);
    if (this.streams.size > 0) return;
    void this.loop?.stop();
    this.loop = null;
  }

  private async poll(): Promise<boolean> {
    let hasMore = false;
    for (const [workspaceId, streams] of groupBy(this.streams, (stream) => stream.workspaceId)) {
      if (this.source.isInactive(workspaceId)) {
        for (const stream of streams) stream.end();
        continue;
      }
      const allowed: EventStream<Event, State>[] = [];
      for (const stream of streams)
        if (await stream.isAllowed()) allowed.push(stream);
        else stream.end();
      if (allowed.length > 0 && (await this.source.read(workspaceId, allowed))) hasMore = true;
      for (const stream of allowed) if (stream.isIdle()) stream.send(this.source.heartbeat(stream.state));
    }
    return hasMore;
  }
}
