import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { useInView } from '../../components/in-view.ts';
import { ListPage } from '../../components/list-page.tsx';
import { RecordActions } from '../../components/record-actions.tsx';
import { ResultBars } from '../../components/recent-results.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { jobsTexts } from '../../texts/jobs.ts';
import { schedulesTexts } from '../../texts/schedules.ts';
import { useRecentRuns } from './recent-runs.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleHistory } from './schedule-history.tsx';
import { type Schedule, schedulesQuery, settingsOf } from './schedules.ts';
import { describeSchedule } from './cron-words.ts';

const words = schedulesTexts;
const route = getRouteApi('/schedules');

export function SchedulesPage() {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const { workspace_id } = useSession();
  return (
    <ListPage
      words={words}
      query={useQuery(schedulesQuery(workspace_id))}
      creating={create !== undefined}
      form={<ScheduleForm schedule={null} onClose={() => void navigate({ search: {}, replace: true })} />}
      onCreate={() => void navigate({ search: { create: 'yes' } })}
    >
      {(schedule) => <ScheduleCard key={schedule.id} schedule={schedule} />}
    </ListPage>
  );
}

function ScheduleCard({ schedule }: { schedule: Schedule }) {
  const session = useSession();
  const [open, setOpen] = useState(false);
  const { timezone } = settingsOf(schedule);
  const [ref, wasSeen] = useInView<HTMLLIElement>();
  const recent = useRecentRuns(schedule, wasSeen && schedule.run_count > 0);
  return (
    <Card as="li" ref={ref} className="p-4 [overflow-wrap:anywhere]">
      <div className="relative flex flex-wrap items-start justify-between gap-3 lg:flex-nowrap">
        <div className="min-w-0">
          <h2 className="line-clamp-2 font-semibold" title={schedule.target}>
            {schedule.target}
          </h2>
          <p className="mt-1 text-sm">
            {describeSchedule(schedule.cron_expression)}{' '}
            <span className="text-muted">
              (<span className="font-mono text-[13px]">{schedule.cron_expression}</span>, {timezone})
            </span>
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
            <ScheduleState schedule={schedule} streak={recent?.streak ?? 0} />
            {recent !== undefined && <ResultBars outcomes={recent.outcomes} textOf={words.bars} />}
            <span>
              {jobsTexts.targetTypes[schedule.target_type]} · {jobsTexts.form.modes[schedule.mode]}
            </span>
            <span>
              {schedule.run_count === 0 ? words.neverRan : words.ran(formatNumber(schedule.run_count))}
            </span>
            {schedule.is_active && (
              <span>
                {words.nextRun} <Time at={schedule.next_run_at} due={words.isDue} />
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2 lg:shrink-0 lg:flex-nowrap">
          <Button
            aria-expanded={open}
            aria-label={`${words.times}: ${schedule.target}`}
            onClick={() => setOpen(!open)}
          >
            {words.times}
          </Button>
          {session.allows('write') && <ScheduleActions schedule={schedule} />}
        </div>
      </div>
      {open && <ScheduleHistory schedule={schedule} />}
    </Card>
  );
}

/** Whether a schedule is active, and whether its last runs failed. */
function ScheduleState({ schedule, streak }: { schedule: Schedule; streak: number }) {
  if (!schedule.is_active) return <StatusDot tone="warn">{words.paused}</StatusDot>;
  if (streak > 0) return <StatusDot tone="bad">{words.streak(formatNumber(streak))}</StatusDot>;
  return <StatusDot tone="good">{words.active}</StatusDot>;
}

function ScheduleActions({ schedule }: { schedule: Schedule }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const path = { workspace_id, schedule_id: schedule.id };
  const refresh = () => client.invalidateQueries(schedulesQuery(workspace_id));
  return (
    <RecordActions
      words={words}
      id={schedule.id}
      name={schedule.target}
      isMenu
      isActive={schedule.is_active}
      deleted={words.deleted(schedule.target)}
      action={{
        text: words.runNow,
        run: async () => {
          const { id } = await dataOf(
            api.POST('/api/v1/workspaces/{workspace_id}/schedules/{schedule_id}/run', { params: { path } }),
          );
          void navigate({ to: '/jobs/$jobId', params: { jobId: id } });
        },
      }}
      form={(onClose) => <ScheduleForm schedule={schedule} onClose={onClose} />}
      onToggle={async () => {
        await dataOf(
          api.PATCH('/api/v1/workspaces/{workspace_id}/schedules/{schedule_id}', {
            params: { path },
            body: { is_active: !schedule.is_active },
          }),
        );
        await refresh();
      }}
      onDelete={async () => {
        await dataOf(
          api.DELETE('/api/v1/workspaces/{workspace_id}/schedules/{schedule_id}', {
            params: { path },
            keepalive: true,
          }),
        );
        await refresh();
      }}
    />
  );
}
