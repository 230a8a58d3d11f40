/** A destination of deliveries, as in query keys. */
interface DestinationKey {
  kind: string;
  id: string;
}

/**
 * The keys of all queries. Keys of a workspace's data have its id in second place. Invalidating a shorter key reaches
 * every key that begins with it.
 */
export const keys = {
  session: () => ['session'] as const,
  sessionEnded: () => ['session', 'ended'] as const,
  adminSession: () => ['admin-session'] as const,
  adminSessionEnded: () => ['admin-session', 'ended'] as const,

  usage: (workspace: string) => ['usage', workspace] as const,
  sources: () => ['sources'] as const,
  resolved: (workspace: string, url: string) => ['resolved', workspace, url] as const,
  plugins: (workspace: string) => ['plugins', workspace] as const,
  sessions: (workspace: string) => ['sessions', workspace] as const,
  members: (workspace: string) => ['members', workspace] as const,
  notifications: (workspace: string) => ['notifications', workspace] as const,
  ownDeliveries: (workspace: string) => ['own-deliveries', workspace] as const,
  history: (workspace: string, filters: unknown) => ['history', workspace, filters] as const,
  /** Begins as the key of the list of these records does. */
  lastChange: (workspace: string, kind: string, id: string) => [kind, workspace, id, 'last-change'] as const,
  memberships: () => ['session', 'workspaces'] as const,
  identityProvider: () => ['identity-provider'] as const,
  apiKeys: (workspace: string) => ['api-keys', workspace] as const,

  search: (workspace: string, state: unknown) => ['search', workspace, state] as const,
  recurringExports: (workspace: string) => ['recurring-exports', workspace] as const,
  exportSample: (workspace: string, state: unknown) => ['export-sample', workspace, state] as const,
  palettePosts: (workspace: string, q: string) => ['palette-posts', workspace, q] as const,
  savedSearches: (workspace: string) => ['saved-searches', workspace] as const,
  savedSearchTotals: (workspace: string, ids: readonly string[]) =>
    ['saved-search-totals', workspace, ids] as const,
  openSearch: (workspace: string, id: string) => ['open-search', workspace, id] as const,
  queryExplanation: (workspace: string, of: string, q: string) =>
    ['query-explanation', workspace, of, q] as const,
  suggestedValues: (workspace: string, of: unknown, facet: unknown, q: unknown) =>
    ['suggested-values', workspace, of, facet, q] as const,
  facets: (workspace: string, state: unknown, limit: number) => ['facets', workspace, state, limit] as const,
  timeSeries: (workspace: string, state: unknown) => ['timeseries', workspace, state] as const,
  trend: (workspace: string, ...query: readonly unknown[]) => ['trend', workspace, ...query] as const,
  pinnedTrends: (workspace: string) => ['pinned-trends', workspace] as const,
  sharedTrend: (token: string) => ['shared-trend', token] as const,
  forums: (workspace: string) => ['forums', workspace] as const,
  keywords: (workspace: string, q: unknown, filters: unknown) => ['keywords', workspace, q, filters] as const,

  post: (workspace: string, id: string) => ['post', workspace, id] as const,
  annotations: (workspace: string, id: string) => ['annotations', workspace, id] as const,
  media: (workspace: string, id: string) => ['media', workspace, id] as const,
  postHistory: (workspace: string, id: string) => ['post-history', workspace, id] as const,
  threadBeginning: (workspace: string, id: string) => ['thread-beginning', workspace, id] as const,
  thread: (workspace: string, id: string) => ['thread', workspace, id] as const,

  allJobs: () => ['jobs'] as const,
  unfinishedJobs: (workspace: string) => ['jobs', workspace, 'unfinished'] as const,
  jobs: (workspace: string, filters: unknown) => ['jobs', workspace, filters] as const,
  job: (workspace: string, id: string) => ['job', workspace, id] as const,
  jobBefore: (workspace: string, id: string) => ['job-before', workspace, id] as const,
  jobLog: (workspace: string, id: string, hasEnded: boolean) => ['job-log', workspace, id, hasEnded] as const,
  jobPosts: (workspace: string, id: string, q: string) => ['job-posts', workspace, id, q] as const,

  schedules: (workspace: string) => ['schedules', workspace] as const,
  schedule: (id: string) => ['schedule', id] as const,
  scheduleNext: (id: string, next: string) => ['schedule', id, 'next', next] as const,
  scheduleRuns: (id: string) => ['schedule', id, 'runs'] as const,
  recentRuns: (workspace: string, schedule: string) => ['recent-runs', workspace, schedule] as const,

  home: (workspace: string, part: string, ...rest: readonly unknown[]) =>
    ['home', workspace, part, ...rest] as const,

  allMatches: () => ['matches'] as const,
  newestMatches: (workspace: string) => ['matches', workspace, 'newest'] as const,
  matchCount: (workspace: string, alert: string) => ['matches', workspace, 'count', alert] as const,
  matches: (workspace: string, filters: unknown) => ['matches', workspace, 'list', filters] as const,

  allAlerts: () => ['alerts'] as const,
  alerts: (workspace: string) => ['alerts', workspace] as const,
  listening: (workspace: string, alert: string) => ['alerts', workspace, alert, 'listening'] as const,
  alert: (workspace: string, alert: string) => ['alerts', workspace, alert] as const,
  alertPreview: (workspace: string, draft: unknown) => ['alert-preview', workspace, draft] as const,

  allRelevance: (workspace: string) => ['relevance', workspace] as const,
  relevance: (workspace: string, alert: string) => ['relevance', workspace, alert] as const,
  recall: (workspace: string, alert: string) => ['alerts', workspace, alert, 'recall'] as const,

  stories: (workspace: string, filters: unknown) => ['stories', workspace, filters] as const,
  storyPosts: (workspace: string, story: string) => ['story-posts', workspace, story] as const,

  reports: (workspace: string) => ['reports', workspace] as const,
  report: (workspace: string, report: string) => ['reports', workspace, report] as const,
  latestReport: (workspace: string, report: string) => ['reports', workspace, report, 'latest'] as const,
  reportPreview: (workspace: string, draft: unknown) => ['report-preview', workspace, draft] as const,

  allWebhooks: () => ['webhooks'] as const,
  webhooks: (workspace: string) => ['webhooks', workspace] as const,
  webhook: (workspace: string, id: string) => ['webhooks', workspace, id] as const,

  deliveries: ({ kind, id }: DestinationKey) => ['deliveries', kind, id] as const,
  deliveryList: ({ kind, id }: DestinationKey, status: unknown) =>
    ['deliveries', kind, id, 'list', status] as const,
  delivery: ({ kind, id }: DestinationKey, delivery: { id: string; attempts: number; status: string }) =>
    ['deliveries', kind, id, delivery.id, delivery.attempts, delivery.status] as const,

  exports: (workspace: string) => ['exports', workspace] as const,
  datasets: (workspace: string) => ['datasets', workspace] as const,

  admin: () => ['admin'] as const,
  adminOverview: () => ['admin', 'overview'] as const,
  adminWorkspaces: () => ['admin', 'workspaces'] as const,
  adminWorkspaceList: (q: unknown) => ['admin', 'workspaces', q] as const,
  adminWorkspace: (workspace: string) => ['admin', 'workspace', workspace] as const,
  adminWorkspaceKeys: (workspace: string) => ['admin', 'workspace', workspace, 'keys'] as const,
  adminAudits: () => ['admin', 'audit'] as const,
  adminAudit: (filters: unknown) => ['admin', 'audit', filters] as const,
};
