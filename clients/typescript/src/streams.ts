/** The part of a Node.js stream that is used here. */
export interface NodeWritable {
  write(chunk: Uint8Array, written: (error?: Error | null) => void): boolean;
  once(event: 'error' | 'close', listener: (error?: Error) => void): unknown;
  removeListener(event: 'error' | 'close', listener: (error?: Error) => void): unknown;
}

/**
 * A web stream over `sink`: it fails as soon as `sink` fails or closes, and accepts the next chunk once `sink` has
 * written the last one.
 */
export function webStreamOver(sink: NodeWritable): WritableStream<Uint8Array> {
  return new WritableStream({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        const finish = (error?: Error | null): void => {
          sink.removeListener('error', finish);
          sink.removeListener('close', closed);
          if (error) reject(error);
          else resolve();
        };
        const closed = (): void => finish(new Error('The stream was closed before the export ended'));
        sink.once('error', finish);
        sink.once('close', closed);
        sink.write(chunk, finish);
      }),
  });
}

/** The chunks of a body, none of an empty one. Leaving the loop closes it. Not every browser can iterate over a stream itself. */
export async function* chunksOf(body: unknown): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
