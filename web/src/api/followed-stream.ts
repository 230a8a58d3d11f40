import { readEvents, type ServerSentEvent } from '#client/event-stream.ts';
import { isTransient } from './transient.ts';

const SHORTEST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** Silence after which a stream counts as interrupted: three heartbeats of the service. */
const SILENCE_MS = 45_000;

/** A stream of events that can be continued after its last event. */
export interface ContinuableStream {
  /** Opens the stream after an event, or at its present end. Throws for a refusal. */
  open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  onEvent: (event: ServerSentEvent) => void;
  /** Called when the stream was interrupted or refused. */
  onLost?: () => void;
  /** The event after which the stream is opened first. */
  lastEventId: string | undefined;
}

/** Milliseconds before an interrupted stream is opened again, after a number of failures in a row. */
export const reopenPause = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** failures);

/**
 * Passes on the events of a stream until `signal` ends it. An interrupted stream is continued after its last event,
 * with growing pauses; a final refusal, e.g. because what it followed was deleted, ends it.
 */
export async function followStream(
  { open, onEvent, onLost, lastEventId: given }: ContinuableStream,
  signal: AbortSignal,
): Promise<void> {
  let lastEventId = given;
  for (let failures = 0; !signal.aborted; failures += 1) {
    const silence = new AbortController();
    const listen = (): ReturnType<typeof setTimeout> => setTimeout(() => silence.abort(), SILENCE_MS);
    let timer = listen();
    let events = 0;
    try {
      for await (const event of readEvents(
        await open(lastEventId, AbortSignal.any([signal, silence.signal])),
      )) {
        if (signal.aborted) return;
        clearTimeout(timer);
        timer = listen();
        lastEventId = event.id ?? lastEventId;
        // Every stream begins with an event; one that ends after it has failed, too.
        events += 1;
        if (events > 1) failures = -1;
        onEvent(event);
      }
    } catch (error) {
      if (!isTransient(error)) {
        if (!signal.aborted) onLost?.();
        return;
      }
    } finally {
      clearTimeout(timer);
    }
    if (!signal.aborted) onLost?.();
    await pause(reopenPause(Math.max(0, failures)), signal);
  }
}

/** Waits for some milliseconds, or until the signal. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, milliseconds);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
