/**
 * How long an API that failed gets no requests, unless all failed. Equals `fail_timeout` of the proxy in docker/proxy.
 */
const AVOIDED_MS = 2_000;

/** A request as clients of the service send it. */
export interface ClientRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the address of an API. */
  path: string;
  headers: Record<string, string>;
  body?: object;
}

/** The last response to a request; `status` is 0 when no API responded. */
export interface ClientAnswer {
  status: number;
  body: unknown;
}

/**
 * Sends requests to several APIs in turn, as the proxy in docker/proxy does. If a GET, or a POST with an
 * `Idempotency-Key`, is refused, cut off, answered with 503 or not answered in time, it is sent once more to the next
 * API.
 */
export class RoundRobinClient {
  private next = 0;
  /** Until when each API is avoided, by address; from `performance.now()`. */
  private readonly avoidedUntil = new Map<string, number>();

  constructor(
    private readonly urls: readonly string[],
    /** Timeout of each of the two attempts. */
    private readonly attemptTimeoutMs: number,
  ) {}

  async send(request: ClientRequest): Promise<ClientAnswer> {
    const [first, second] = this.inOrder();
    const answer = await this.attempt(first!, request);
    const mayRepeat = request.method === 'GET' || request.headers['Idempotency-Key'] !== undefined;
    const hasFailed = answer.status === 0 || answer.status === 503;
    if (!hasFailed || !mayRepeat || second === undefined) return answer;
    return this.attempt(second, request);
  }

  /** All APIs, beginning with the next in turn; those that failed recently come last. */
  private inOrder(): string[] {
    const begin = this.next++ % this.urls.length;
    const turn = [...this.urls.slice(begin), ...this.urls.slice(0, begin)];
    const now = performance.now();
    const isAvoided = (url: string): boolean => (this.avoidedUntil.get(url) ?? 0) > now;
    return [...turn.filter((url) => !isAvoided(url)), ...turn.filter(isAvoided)];
  }

  private async attempt(url: string, { method, path, headers, body }: ClientRequest): Promise<ClientAnswer> {
    try {
      const response = await fetch(url + path, {
        method,
        headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
        signal: AbortSignal.timeout(this.attemptTimeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status === 503) this.avoid(url);
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    } catch {
      this.avoid(url);
      return { status: 0, body: null };
    }
  }

  private avoid(url: string): void {
    this.avoidedUntil.set(url, performance.now() + AVOIDED_MS);
  }
}
