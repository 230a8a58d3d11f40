import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RecordedSource } from './recorded-source.js';

/** How a request fails instead of being answered: statuses, an answer that is cut off, and a closed connection. */
const FAULTS = [500, 503, 'cut', 'reset'] as const;

/** Serves the recorded answers of a source over HTTP, each site below a path of its own, and lets requests fail. */
export class RecordedServer {
  /** The addresses requested so far: `SITE/path?query`, and the form of a `POST`. */
  requested: string[] = [];
  /** Whether the first request to each address fails. */
  failsFirst = false;
  /** Addresses of which every request fails. */
  broken: ReadonlySet<string> = new Set();
  /** `SITE/path` of which every answer lacks one element of its longest list. */
  shortened: string | null = null;
  /** How many elements were left out so far. */
  leftOut = 0;
  private readonly seen = new Set<string>();
  private faults = 0;

  private constructor(
    private readonly source: RecordedSource,
    private readonly server: Server,
  ) {}

  /** Starts on a free port of this machine. */
  static async start(source: RecordedSource): Promise<RecordedServer> {
    const server = createServer();
    const recorded = new RecordedServer(source, server);
    server.on('request', (request, response) => void recorded.answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return recorded;
  }

  /** The variables by which the source asks this server. */
  get variables(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    const addressOf = (site: string): string => `http://127.0.0.1:${port}/${site}`;
    const { sites } = this.source;
    return (
      this.source.variables?.(addressOf) ?? {
        SOURCE_SITES: sites.map((site) => `${site}=${addressOf(site)}`).join(','),
      }
    );
  }

  /** Forgets the requests so far. */
  reset(): void {
    this.requested = [];
    this.seen.clear();
    this.failsFirst = false;
    this.broken = new Set();
    this.shortened = null;
    this.leftOut = 0;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(received: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, site = '', address = ''] = /^\/([^/?]+)(.*)$/s.exec(received.url ?? '') ?? [];
    if (!this.source.sites.includes(site)) return void response.writeHead(404).end();
    const { method = 'GET', headers } = received;
    const request = { method, authorization: headers.authorization, body: await text(received) };
    const key = [`${site}${address}`, request.body].filter(Boolean).join(' ');
    const isFirst = !this.seen.has(key);
    this.seen.add(key);
    // A request for a token counts for no budget.
    if (!/^basic /i.test(request.authorization ?? '')) this.requested.push(key);
    if (this.broken.has(key) || (this.failsFirst && isFirst)) return this.fail(response);
    const { status, body, headers: own } = await this.source.answer(site, address, request);
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...own })
      .end(key.split('?', 1)[0] === this.shortened ? this.shorter(String(body)) : body);
  }

  private shorter(body: string): string {
    if (body.startsWith('<')) return this.shorterFeed(body);
    const json = parsed(body);
    // A file that is no list of items, such as one of messages.
    if (json === null) return body;
    const list = longestList(json);
    if (list.length > 1) this.leftOut += list.splice(Math.floor(list.length / 2), 1).length;
    return JSON.stringify(json);
  }

  private shorterFeed(body: string): string {
    const items = [...body.matchAll(/<(item|entry)\b[^]*?<\/\1>/g)].map(([item]) => item);
    if (items.length > 1) this.leftOut += 1;
    return items.length > 1 ? body.replace(items[Math.floor(items.length / 2)]!, '') : body;
  }

  private fail(response: ServerResponse): void {
    const fault = FAULTS[this.faults % FAULTS.length]!;
    this.faults += 1;
    if (fault === 'reset') return void response.destroy();
    if (fault !== 'cut') return void response.writeHead(fault).end();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"cut":', () => response.destroy());
  }
}

/** The value of a JSON text; null for another text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The longest list of objects within a JSON value. */
function longestList(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const own: unknown[] = Array.isArray(value) ? value : [];
  const lists = [
    own.every((one) => typeof one === 'object') ? own : [],
    ...Object.values(value).map(longestList),
  ];
  return lists.reduce((longest, list) => (list.length > longest.length ? list : longest));
}
