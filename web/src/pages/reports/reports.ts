import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { reportsTexts } from '../../texts/reports.ts';
import { timeText } from '../alerts/delivery.ts';

export type Report = Schemas['ReportDto'];
export type ReportContent = Schemas['ReportContentDto'];

export const reportsQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.reports(workspace_id),
    queryFn: () =>
      dataOf(api.GET('/api/v1/workspaces/{workspace_id}/reports', { params: { path: { workspace_id } } })),
  });

export const reportQuery = (workspace_id: string, report_id: string) =>
  queryOptions({
    queryKey: keys.report(workspace_id, report_id),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/reports/{report_id}', {
          params: { path: { workspace_id, report_id } },
        }),
      ),
  });

/** The report on the last period that is over. */
export const latestReportQuery = (workspace_id: string, report_id: string) =>
  queryOptions({
    queryKey: keys.latestReport(workspace_id, report_id),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/reports/{report_id}/latest', {
          params: { path: { workspace_id, report_id }, query: { format: 'json' } },
          signal,
        }),
      ) as Promise<ReportContent>,
  });

/** Deletes a report, even while the page is being left. */
export const deleteReport = (workspace_id: string, report_id: string) =>
  dataOf(
    api.DELETE('/api/v1/workspaces/{workspace_id}/reports/{report_id}', {
      params: { path: { workspace_id, report_id } },
      keepalive: true,
    }),
  );

/** When a report is sent, in words. */
export const planText = ({ every, at, weekday }: Pick<Report, 'every' | 'at' | 'weekday'>): string =>
  reportsTexts.summaries[every](timeText(at), alertsTexts.delivery.weekdays[weekday]);
