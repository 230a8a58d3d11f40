/** Work that waits for a part of the service, over all workspaces. */
export interface Backlog {
  count: number;
  /** Age of the oldest waiting item in seconds; 0 when nothing waits. */
  oldestSeconds: number;
}

/** The select list of a {@link Backlog}; `since` is the column with the time at which a row started to wait. */
export function backlogColumns(since: string): string {
  return `count(*)::integer AS count,
    coalesce(extract(epoch FROM clock_timestamp() - min(${since})), 0)::float8 AS "oldestSeconds"`;
}
