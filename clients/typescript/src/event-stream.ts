import { chunksOf } from './streams.js';

/** One server-sent event. */
export interface ServerSentEvent {
  type: string;
  /** Position after the event; a stream that is opened with it as `Last-Event-ID` continues there. */
  id?: string;
  data: string;
}

/** Events of a `text/event-stream` body as they arrive. Leaving the loop closes the stream. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksOf(body)) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop()!;
    for (const block of blocks) yield parseEvent(block);
  }
}

function parseEvent(block: string): ServerSentEvent {
  let type = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === 'event') type = value;
    else if (name === 'id') id = value;
    else if (name === 'data') data.push(value);
  }
  return { type, ...(id !== undefined && { id }), data: data.join('\n') };
}
