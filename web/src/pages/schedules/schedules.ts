import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { FIRST_SETTINGS, type JobSettings } from '../../components/job-fields.tsx';
import { keys } from '../../api/keys.ts';

export type Schedule = Schemas['ScheduleDto'];

export const schedulesQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.schedules(workspace_id),
    queryFn: () =>
      dataOf(api.GET('/api/v1/workspaces/{workspace_id}/schedules', { params: { path: { workspace_id } } })),
  });

/**
 * The settings of a schedule as edited in its form; the API stores what was sent and fills in the rest for each job.
 */
export function settingsOf({ target, target_type, mode, config }: Schedule): {
  job: JobSettings;
  timezone: string;
  overlap: 'skip' | 'queue';
} {
  const byMode = mode !== 'history';
  return {
    job: {
      target,
      target_type,
      mode,
      limit: typeof config.limit === 'number' ? config.limit : FIRST_SETTINGS.limit,
      scrape_comments: typeof config.scrape_comments === 'boolean' ? config.scrape_comments : byMode,
      download_media: typeof config.download_media === 'boolean' ? config.download_media : byMode,
      plugins: Array.isArray(config.plugins)
        ? config.plugins.filter((name): name is string => typeof name === 'string')
        : [],
    },
    timezone: typeof config.timezone === 'string' ? config.timezone : 'UTC',
    overlap: config.overlap === 'queue' ? 'queue' : 'skip',
  };
}
