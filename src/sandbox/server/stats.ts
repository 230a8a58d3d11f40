/** Counts since the start or the last reset. */
export interface SandboxStats {
  /** Requests that count towards a budget: all except media, tokens and the sandbox's own pages. */
  requests: number;
  /** By route: token, listing, user, about, comments, continue, morechildren, info, archive/posts, archive/comments, media; rss/posts, rss/comments, rss/thread. */
  byPath: Record<string, number>;
  byStatus: Record<string, number>;
  /** Faults that were injected, by kind. */
  faults: Record<string, number>;
  bytesSent: number;
  /** Maximum number of requests that were open at the same moment. */
  maxConcurrent: number;
  /** The same for `morechildren` only, of which the platform allows one at a time. */
  maxConcurrentMoreChildren: number;
}

const UNCOUNTED = new Set(['token', 'media']);

/** Counts requests, responses and injected faults. */
export class StatsCounter {
  private stats = empty();
  private open = 0;
  private openMoreChildren = 0;

  begin(route: string): void {
    if (!UNCOUNTED.has(route)) this.stats.requests++;
    bump(this.stats.byPath, route);
    this.stats.maxConcurrent = Math.max(this.stats.maxConcurrent, ++this.open);
    if (route === 'morechildren')
      this.stats.maxConcurrentMoreChildren = Math.max(
        this.stats.maxConcurrentMoreChildren,
        ++this.openMoreChildren,
      );
  }

  end(route: string): void {
    this.open--;
    if (route === 'morechildren') this.openMoreChildren--;
  }

  answered(status: number, bytes: number): void {
    bump(this.stats.byStatus, String(status));
    this.stats.bytesSent += bytes;
  }

  fault(kind: string): void {
    bump(this.stats.faults, kind);
  }

  read(): SandboxStats {
    return structuredClone(this.stats);
  }

  reset(): void {
    this.stats = empty();
  }
}

function empty(): SandboxStats {
  return {
    requests: 0,
    byPath: {},
    byStatus: {},
    faults: {},
    bytesSent: 0,
    maxConcurrent: 0,
    maxConcurrentMoreChildren: 0,
  };
}

function bump(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
