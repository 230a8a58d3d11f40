import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import { Checkbox, SelectField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { FIRST_SETTINGS, JobFields } from '../../components/job-fields.tsx';
import { fieldError } from '../../components/states.tsx';
import { ownTimeZone } from '../../format.ts';
import { texts } from '../../texts.ts';
import { CronBuilder } from './cron-builder.tsx';
import { type Schedule, schedulesQuery, settingsOf } from './schedules.ts';
import { expressionOf, FIRST_TIMING, timingOf } from './timing.ts';
import { keys } from '../../api/keys.ts';

const words = texts.schedules;
const ALL_ZONES = Intl.supportedValuesOf('timeZone');

/** Creates a schedule, or changes one without changing its source. */
export function ScheduleForm({ schedule, onClose }: { schedule: Schedule | null; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const given = schedule === null ? null : settingsOf(schedule);
  const [job, setJob] = useState(given?.job ?? { ...FIRST_SETTINGS, mode: 'monitor' as const });
  const [timing, setTiming] = useState(schedule === null ? FIRST_TIMING : timingOf(schedule.cron_expression));
  const [timezone, setTimezone] = useState(given?.timezone ?? ownTimeZone);
  const [queues, setQueues] = useState(given?.overlap === 'queue');
  const [idempotencyKey] = useState(newIdempotencyKey);
  const save = useMutation({
    mutationFn: async (): Promise<unknown> => {
      const { target, target_type, mode, ...limits } = job;
      const changes = {
        mode,
        cron_expression: expressionOf(timing),
        config: { ...schedule?.config, ...limits, timezone, overlap: queues ? 'queue' : 'skip' } as const,
      };
      if (schedule !== null)
        return dataOf(
          api.PATCH('/api/v1/workspaces/{workspace_id}/schedules/{schedule_id}', {
            params: { path: { workspace_id, schedule_id: schedule.id } },
            body: changes,
          }),
        );
      return dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/schedules', {
          params: { path: { workspace_id }, header: { 'Idempotency-Key': idempotencyKey } },
          body: { target: target.trim(), target_type, ...changes },
        }),
      );
    },
    onSuccess: async () => {
      await client.invalidateQueries(schedulesQuery(workspace_id));
      if (schedule !== null) void client.invalidateQueries({ queryKey: keys.schedule(schedule.id) });
      onClose();
    },
  });
  const zones = [...new Set([ownTimeZone, 'UTC', timezone, ...ALL_ZONES])];
  return (
    <FormModal
      title={schedule === null ? words.create : words.editTitle(schedule.target)}
      mutation={save}
      submit={schedule === null ? words.submit : words.save}
      submitting={words.submitting}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <JobFields
        settings={job}
        hasTarget={schedule === null}
        error={save.error}
        onChange={(changes) => setJob({ ...job, ...changes })}
      />
      <CronBuilder
        timing={timing}
        timezone={timezone}
        error={save.error}
        onChange={(changes) => setTiming({ ...timing, ...changes })}
      />
      <SelectField
        label={words.timezone}
        error={fieldError(save.error, 'config.timezone')}
        value={timezone}
        options={zones.map((zone) => [zone, zone] as const)}
        onChange={setTimezone}
      />
      <Checkbox label={words.overlap} checked={queues} onChange={({ target }) => setQueues(target.checked)} />
    </FormModal>
  );
}
