/** Sections of the documentation, in their order, by the names that controllers give them. */
export const TAGS: Record<string, { name: string; description: string }> = {
  ApiKeys: { name: 'API keys', description: 'Keys for programmatic access.' },
  Schedules: { name: 'Schedules', description: 'Scrape jobs that repeat.' },
  Jobs: { name: 'Scrape jobs', description: 'Collect posts, comments and media of a forum or a user.' },
  Posts: { name: 'Posts', description: 'Search, filter and page what was collected.' },
  Comments: { name: 'Comments', description: 'Comments of the collected posts.' },
  Exports: { name: 'Exports', description: 'Download posts as a file.' },
  Alerts: { name: 'Alerts', description: 'Notify when new posts hold keywords.' },
  Webhooks: { name: 'Webhooks', description: 'HTTP callbacks for what happens in a workspace.' },
  Health: { name: 'Operations', description: 'Probes and metrics for operators.' },
  Metrics: { name: 'Operations', description: 'Probes and metrics for operators.' },
};
