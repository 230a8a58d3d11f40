import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client.ts';
import type { Job } from '../../api/job-events.ts';
import { newIdempotencyKey } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import { Button, buttonClass } from '../../components/controls.tsx';
import { Panel } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { firstStepsTexts } from '../../texts/first-steps.ts';
import { schedulesQuery } from '../schedules/schedules.ts';

const words = firstStepsTexts.next;

/** What follows the first posts of a place (collect on, be notified) or of a word, for which an alert listens. */
export function NextSteps({ job, alertId }: { job: Job; alertId: string | undefined }) {
  return (
    <Panel title={words.title}>
      {alertId === undefined ? (
        <div className="grid gap-5 sm:grid-cols-2">
          <KeepCollecting job={job} />
          <div>
            <Link to="/alerts" search={{ create: 'yes', forum: job.target }} className={buttonClass()}>
              {words.notify}
            </Link>
            <p className="mt-2 text-sm text-muted">{words.notifyHint}</p>
          </div>
        </div>
      ) : (
        <>
          <div className="flex flex-wrap gap-2">
            <Link to="/mentions" className={buttonClass('primary')}>
              {words.mentions}
            </Link>
            <Link to="/alerts/$alertId" params={{ alertId }} className={buttonClass()}>
              {words.notify}
            </Link>
          </div>
          <p className="mt-2 text-sm text-muted">{words.wordHint}</p>
        </>
      )}
    </Panel>
  );
}

function KeepCollecting({ job: { target, target_type } }: { job: Job }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const keep = useMutation({
    mutationFn: (key: string) =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/schedules', {
          params: { path: { workspace_id }, header: { 'Idempotency-Key': key } },
          body: { target, target_type, mode: 'monitor', cron_expression: '0 * * * *' },
        }),
      ),
    onSuccess: () => client.invalidateQueries(schedulesQuery(workspace_id)),
  });
  if (keep.isSuccess)
    return (
      <p className="text-sm">
        {words.kept}{' '}
        <Link to="/schedules" className="text-accent underline">
          {words.schedules}
        </Link>
      </p>
    );
  return (
    <div>
      <Button look="primary" disabled={keep.isPending} onClick={() => keep.mutate(newIdempotencyKey())}>
        {words.keep}
      </Button>
      <p className="mt-2 text-sm text-muted">{words.keepHint(target)}</p>
      {keep.error && <ErrorNote error={keep.error} />}
    </div>
  );
}
