import type { Schemas } from './api/client.ts';
import type { filtersOf } from './pages/search/search-state.ts';

/** Names of the fields that requests of the dashboard send. */
type FieldName = keyof (Schemas['CreateAlertDto'] &
  Schemas['CreateExportDto'] &
  Schemas['CreateRecurringExportDto'] &
  Schemas['CreateJobDto'] &
  Schemas['CreateMemberDto'] &
  Schemas['CreateScheduleDto'] &
  Schemas['CreatePinnedTrendDto'] &
  Schemas['CreateReportDto'] &
  Schemas['CreateSearchDto'] &
  Schemas['CreateWebhookDto'] &
  Schemas['CreateApiKeyDto'] &
  Schemas['RollApiKeyDto'] &
  Schemas['UpdateWorkspaceDto'] &
  Schemas['UpdateAlertDto'] &
  Schemas['UpdateMatchDto'] &
  Schemas['AlertDeliveryDto'] &
  Schemas['QuietHoursDto'] &
  ReturnType<typeof filtersOf>);

/** What the dashboard calls the fields of the API, so that no text of an error names them. */
const FIELD_LABELS: Record<FieldName, string> = {
  alerts: 'The alerts',
  at: 'The time',
  author: 'The author',
  bom: 'The byte order mark',
  channel: 'The channel',
  channel_config: 'The destination',
  columns: 'The columns',
  compression: 'The compression',
  condition: 'What triggers the alert',
  config: 'The settings',
  created_after: 'The first day',
  created_before: 'The last day',
  cron_expression: 'The cron expression',
  delivery: 'When to notify',
  destination: 'The destination',
  download_media: 'The choice of pictures and videos',
  events: 'The choice of events',
  email: 'The address',
  every: 'The interval',
  expires_at: 'The expiry',
  filters: 'The filters',
  flair: 'The flair',
  fold_duplicates: 'The choice to fold reposts',
  format: 'The format',
  forum: 'The forum',
  forums: 'The forums',
  from: 'The beginning',
  has_media: 'The filter for media',
  incremental_from: 'The earlier export',
  is_active: 'The state',
  is_nsfw: 'The filter for adult content',
  keyword: 'The keyword',
  keywords: 'The keywords',
  interval: 'The interval',
  labels: 'The labels',
  language: 'The language',
  limit: 'The maximum',
  listen: 'Where to listen',
  max_per_hour: 'The limit per hour',
  max_score: 'The maximum score',
  measure: 'The measure',
  min_comments: 'The minimum of comments',
  min_relevance: 'The minimum relevance',
  min_score: 'The minimum score',
  mode: 'The mode',
  name: 'The name',
  note: 'The note',
  of: 'The choice of posts or comments',
  only_changes: 'The choice of rows',
  overlap_seconds: 'The overlap',
  period: 'The period',
  plugins: 'The plugins',
  post_id: 'The post',
  post_type: 'The type',
  pseudonymize: 'The choice of pseudonyms',
  q: 'The search',
  queries: 'The queries',
  query: 'The search',
  question: 'The question',
  quiet: 'The quiet hours',
  quotas: 'The quotas',
  retention_days: 'The retention',
  scopes: 'The permissions',
  scrape_comments: 'The choice of comments',
  searches: 'The saved searches',
  secret: 'The secret',
  role: 'The role',
  sentiment: 'The sentiment',
  sort_by: 'The order',
  sort_order: 'The order',
  source: 'The source',
  split_by: 'The split',
  state: 'The state',
  status: 'The status',
  target: 'The forum or user',
  target_type: 'The type',
  timezone: 'The time zone',
  to: 'The end',
  url: 'The URL',
  weekday: 'The weekday',
};

const labelOf = (name: string): string | undefined =>
  Object.hasOwn(FIELD_LABELS, name) ? FIELD_LABELS[name as FieldName] : undefined;

/** The name of a field within a sentence. */
export const fieldName = (name: string): string =>
  labelOf(name)?.replace(/^The /, '') ?? name.replaceAll('_', ' ');

/** A name of the API with several words, perhaps as code: `incremental_from`. */
const API_NAME = /`?\b([a-z]+(?:_[a-z]+)+)\b`?/g;
const PATH = /^[a-z_]+(?:\.\w+)*(?= )/;

/**
 * A message of the API in the dashboard's words. It begins with the path of its field; of a list only the position of
 * the entry is kept, because the message stands next to its field.
 */
export function inWords(message: string, entry: (number: number) => string): string {
  const worded = message.replace(PATH, (path) => {
    const parts = path.split('.');
    const index = parts.findIndex((part) => /^\d+$/.test(part));
    if (index !== -1) return entry(Number(parts[index]) + 1);
    return labelOf(parts.at(-1)!) ?? (parts.length > 1 || path.includes('_') ? 'This value' : path);
  });
  return worded.replace(API_NAME, (all, name: string) => labelOf(name)?.replace(/^The /, 'the ') ?? all);
}
