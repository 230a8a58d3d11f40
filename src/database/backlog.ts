/** What waits for a part of the service, over all workspaces. */
export interface Backlog {
  count: number;
  /** Age of the oldest in seconds; 0 when nothing waits. */
  oldestSeconds: number;
}
