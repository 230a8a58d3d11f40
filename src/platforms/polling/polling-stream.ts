import type { ContentStream } from '../content-stream.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashText } from '../../common/hash.js';
import type { RateLimit } from '../http/request-budget.js';
import type { PlatformSession } from '../platform.js';
import type { StreamBatch, StreamText } from '../stream-batch.js';
import { readPass } from './polling-pass.js';
import type { PolledSource } from './polled-source.js';
import { keyOf, ShownTexts } from './shown-texts.js';

/** While a request or a pause lasts, the reader shows that it is there. */
const TICK_MS = 2_000;
/** A process that was killed is replaced after this time. */
const LEASE_MS = 10_000;
const SHORTEST_PAUSE_MS = 500;
/** The time that every pass reads again: lists of several servers of a site may differ. */
const OVERLAP_MS = 60_000;
/** Every so many passes, all that may have come late is read again. */
const DEEP_EVERY = 10;
/** Texts that are remembered, so that none is given twice. */
const MAX_SEEN = 20_000;
/** Texts that are no longer listed, of which one pass asks whether they are gone. */
const MAX_MISSING = 20;
const NOTHING = { posts: [], texts: [], gone: [], goneAccounts: [], position: null, newestAt: null };

/** The time between two passes that leaves `requests` of a limit to others for each; milliseconds. */
export const paceOf = ({ requests, withinMs }: RateLimit, shared: number): number =>
  Math.max(SHORTEST_PAUSE_MS, Math.round((shared * withinMs) / requests));

/** The second of a time: some sources name no more, and the second of a pass is not over. */
const secondOf = (time: number): number => Math.floor(time / 1_000) * 1_000;

/**
 * All that is new on a source without a stream, by reading its newest-first lists again and again until what is known. Its
 * positions are epoch milliseconds: what was written before has been read. Behind them stand hashes of what an unordered source showed.
 */
export class PollingStream implements ContentStream {
  readonly leaseMs = LEASE_MS;

  constructor(
    private readonly source: PolledSource,
    private readonly now: () => number = Date.now,
  ) {}

  positionAt(time: Date): string {
    return String(secondOf(time.getTime()));
  }

  async *read(position: string, signal: AbortSignal): AsyncGenerator<StreamBatch> {
    const ended = new AbortController();
    const session: PlatformSession = {
      signal: AbortSignal.any([signal, ended.signal]),
      workspaceId: 'listening',
      priority: 'normal',
      onRequest: () => undefined,
    };
    const seen = new SeenTexts();
    const [time, ...hashes] = position.split(' ');
    let from = Number(time);
    const shown = new ShownTexts(new Set(hashes));
    const isUnordered = this.source.isUnordered === true;
    let readAt: number | null = null;
    try {
      for (let passes = 0; ; passes += 1) {
        const startedAt = this.now();
        const isDeep = passes % DEEP_EVERY === 0;
        const since: number = readAt === null || isDeep ? from : Math.max(from, readAt - OVERLAP_MS);
        const pass = yield* whileAlive(readPass(this.source, since, session), signal);
        const missing = isDeep ? seen.missing(pass.texts, pass.reached) : [];
        const isInTime = isUnordered
          ? (text: StreamText): boolean =>
              readAt !== null || (shown.isEmpty ? text.at.getTime() >= from : !shown.has(text))
          : ({ at }: StreamText): boolean => at.getTime() >= from;
        const texts = seen.unseen(pass.texts).filter(isInTime);
        const gone = yield* whileAlive(this.goneAmong(missing, session), signal);
        const lostFrom = Math.max(readAt ?? from, since);
        const readUntil = Math.min(startedAt, pass.givenAt);
        from = Math.max(from, readUntil - this.source.lateMs);
        const reached = Math.max(pass.reached, isUnordered ? shown.replace(pass.texts) : 0);
        const until = { position: `${from}${shown.toString()}`, newestAt: new Date(secondOf(readUntil) - 1) };
        yield {
          ...NOTHING,
          ...until,
          readAt: new Date(readUntil),
          texts,
          gone: [...pass.gone, ...gone],
          ...(reached > lostFrom && {
            gap: { from: new Date(lostFrom), to: new Date(reached), reason: this.reasonOf(pass.pages) },
          }),
        };
        readAt = readUntil;
        for (let left = 1; left > 0;) {
          left = startedAt + this.source.everyMs - this.now();
          await sleep(Math.min(TICK_MS, Math.max(0, left)), undefined, { signal }).catch(() => undefined);
          signal.throwIfAborted();
          yield { ...NOTHING, ...until };
        }
      }
    } finally {
      ended.abort(new Error('Reading has ended'));
    }
  }

  private async goneAmong(ids: readonly string[], session: PlatformSession): Promise<string[]> {
    if (ids.length === 0 || this.source.findGone === undefined) return [];
    return this.source.findGone(ids.slice(0, MAX_MISSING), session);
  }

  private reasonOf(pages: number): string {
    return this.source.isUnordered === true
      ? 'The list showed nothing of what it had shown before'
      : `More was written in this time than the ${pages} pages that one pass reads`;
  }
}

/** Gives signs of life until work is done; returns its result. */
async function* whileAlive<T>(work: Promise<T>, signal: AbortSignal): AsyncGenerator<StreamBatch, T> {
  const settled = work.then(
    () => true,
    () => true,
  );
  const pause = new AbortController();
  try {
    for (;;) {
      const tick = sleep(TICK_MS, false, { signal: pause.signal }).catch(() => false);
      if (await Promise.race([settled, tick])) return await work;
      signal.throwIfAborted();
      yield NOTHING;
    }
  } finally {
    pause.abort();
  }
}

/** The texts of a stream that were given lately. */
class SeenTexts {
  private readonly texts = new Map<string, { id: string; at: number; hash: number }>();

  /** Those that were not given as they are now, the oldest first. */
  unseen(listed: readonly StreamText[]): StreamText[] {
    const fresh: StreamText[] = [];
    for (const text of [...listed].sort((a, b) => a.at.getTime() - b.at.getTime())) {
      const [key, hash] = [keyOf(text), hashText(`${text.title}\n${text.text}`)];
      const before = this.texts.get(key);
      if (before?.hash !== hash) fresh.push({ ...text, ...(before && { isEdited: true }) });
      this.texts.delete(key);
      this.texts.set(key, { id: text.id, at: text.at.getTime(), hash });
    }
    for (const key of this.texts.keys()) {
      if (this.texts.size <= MAX_SEEN) break;
      this.texts.delete(key);
    }
    return fresh;
  }

  /** Ids that lists back to a time lack, each once. */
  missing(listed: readonly StreamText[], from: number): string[] {
    const shown = new Set(listed.map(keyOf));
    const missing = [...this.texts].filter(([key, { at }]) => at >= from && !shown.has(key));
    for (const [key] of missing) this.texts.delete(key);
    return missing.map(([, { id }]) => id);
  }
}
