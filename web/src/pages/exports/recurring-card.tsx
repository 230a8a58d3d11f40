import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { Button } from '../../components/controls.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { deleteLater } from '../../components/undo.ts';
import { exportsTexts } from '../../texts/exports.ts';
import { planText } from '../reports/reports.ts';
import { ExportChoices, TONES } from './export-card.tsx';
import type { RecurringExport } from './exports.ts';
import { RecurringForm } from './recurring-form.tsx';

const words = exportsTexts.recurring;

/** A recurring export: its choices, when it runs next, and how its last run ended. */
export function RecurringCard({ record }: { record: RecurringExport }) {
  const { last_run: last, next_run_at: next } = record;
  return (
    <Card as="li" className="p-4 [overflow-wrap:anywhere]">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <ExportChoices record={record} />
          <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
            <StatusDot tone={next === null ? 'warn' : 'good'}>
              {planText(record)} ({record.timezone})
            </StatusDot>
            <span>{next === null ? words.paused : <Next at={next} />}</span>
            {record.only_changes && <span>{exportsTexts.incremental}</span>}
            {last === null ? (
              <span>{words.neverRan}</span>
            ) : (
              <StatusDot tone={TONES[last.status]}>
                {words.last(exportsTexts.statuses[last.status])} <Time at={last.completed_at} />
              </StatusDot>
            )}
          </p>
          {last?.error_message != null && <p className="mt-1 text-sm text-bad">{last.error_message}</p>}
        </div>
        {useSession().allows('write') && <RecurringActions record={record} />}
      </div>
    </Card>
  );
}

const Next = ({ at }: { at: string }) => (
  <>
    {words.next} <Time at={at} due={exportsTexts.isDue} />
  </>
);

/** Changes, pauses or resumes a recurring export, or deletes it, which can be taken back. */
function RecurringActions({ record }: { record: RecurringExport }) {
  const { id, name, is_active } = record;
  const [isEditing, setEditing] = useState(false);
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const params = { path: { workspace_id, recurring_export_id: id } };
  const refresh = () => client.invalidateQueries({ queryKey: keys.recurringExports(workspace_id) });
  const toggle = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/api/v1/workspaces/{workspace_id}/recurring-exports/{recurring_export_id}', {
          params,
          body: { is_active: !is_active },
        }),
      ),
    onSuccess: refresh,
  });
  const remove = async (): Promise<void> => {
    await dataOf(
      api.DELETE('/api/v1/workspaces/{workspace_id}/recurring-exports/{recurring_export_id}', {
        params,
        keepalive: true,
      }),
    );
    await refresh();
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button aria-label={words.editNamed(name)} onClick={() => setEditing(true)}>
        {words.edit}
      </Button>
      <Button disabled={toggle.isPending} onClick={() => toggle.mutate()}>
        {is_active ? words.pause : words.resume}
      </Button>
      <Button
        look="danger"
        onClick={() => deleteLater({ ids: [id], text: words.deleted(name), run: remove })}
      >
        {exportsTexts.delete}
      </Button>
      {toggle.error && <ErrorNote error={toggle.error} />}
      {isEditing && <RecurringForm record={record} onClose={() => setEditing(false)} />}
    </div>
  );
}
