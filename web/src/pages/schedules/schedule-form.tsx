import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Checkbox, SelectField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import {
  ContentFields,
  FIRST_SETTINGS,
  type JobSettings,
  LimitField,
  ModeField,
  MoreSettings,
  PluginFields,
} from '../../components/job-fields.tsx';
import { JobTargetFields } from '../../components/target-fields.tsx';
import { useForm } from '../../components/use-form.ts';
import { ownTimeZone } from '../../format.ts';
import { schedulesTexts } from '../../texts/schedules.ts';
import { useStable } from '../../timers.ts';
import { readCron } from './cron.ts';
import { CronBuilder } from './cron-builder.tsx';
import { type Schedule, schedulesQuery, settingsOf } from './schedules.ts';
import { expressionOf, FIRST_TIMING, timingOf } from './timing.ts';
import { keys } from '../../api/keys.ts';

const words = schedulesTexts;
const ALL_ZONES = Intl.supportedValuesOf('timeZone');

function useScheduleForm(schedule: Schedule | null, onClose: () => void) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const given = schedule === null ? null : settingsOf(schedule);
  return useForm({
    draft: `schedule ${workspace_id} ${schedule?.id ?? ''}`,
    initial: {
      job: given?.job ?? { ...FIRST_SETTINGS, mode: 'monitor' as const },
      timing: schedule === null ? FIRST_TIMING : timingOf(schedule.cron_expression),
      timezone: given?.timezone ?? ownTimeZone,
      queues: given?.overlap === 'queue',
    },
    send: ({ job, timing, timezone, queues }, key): Promise<unknown> => {
      const { target, target_type, mode, ...limits } = job;
      const changes = {
        mode,
        cron_expression: expressionOf(timing),
        config: { ...schedule?.config, ...limits, timezone, overlap: queues ? 'queue' : 'skip' } as const,
      };
      return schedule === null
        ? dataOf(
            api.POST('/api/v1/workspaces/{workspace_id}/schedules', {
              params: { path: { workspace_id }, header: { 'Idempotency-Key': key } },
              body: { target: target.trim(), target_type, ...changes },
            }),
          )
        : dataOf(
            api.PATCH('/api/v1/workspaces/{workspace_id}/schedules/{schedule_id}', {
              params: { path: { workspace_id, schedule_id: schedule.id } },
              body: changes,
            }),
          );
    },
    onSent: async () => {
      await client.invalidateQueries(schedulesQuery(workspace_id));
      if (schedule !== null) void client.invalidateQueries({ queryKey: keys.schedule(schedule.id) });
      onClose();
    },
  });
}

/** Creates a schedule, or changes one without changing its source. */
export function ScheduleForm({ schedule, onClose }: { schedule: Schedule | null; onClose: () => void }) {
  const form = useScheduleForm(schedule, onClose);
  const { change, error } = form;
  const { job, timing, timezone, queues } = form.value;
  const changeJob = useStable((changes: Partial<JobSettings>) => change({ job: { ...job, ...changes } }));
  const zones = [...new Set([ownTimeZone, 'UTC', timezone, ...ALL_ZONES])];
  return (
    <FormModal
      title={schedule === null ? words.create : words.editTitle(schedule.target)}
      form={form}
      words={{ submit: schedule === null ? words.submit : words.save, submitting: words.submitting }}
      isReady={'fields' in readCron(expressionOf(timing))}
      onClose={onClose}
    >
      {schedule === null && <JobTargetFields target={job} error={error} onChange={changeJob} />}
      <CronBuilder
        timing={timing}
        timezone={timezone}
        error={error}
        onChange={(changes) => change({ timing: { ...timing, ...changes } })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={words.timezone}
          error={form.errorOf('config.timezone')}
          value={timezone}
          options={zones.map((zone) => [zone, zone] as const)}
          onChange={(zone) => change({ timezone: zone })}
        />
        <ModeField settings={job} onChange={changeJob} />
      </div>
      <MoreSettings>
        <LimitField settings={job} error={error} onChange={changeJob} />
        <ContentFields settings={job} onChange={changeJob} />
        <Checkbox
          label={words.overlap}
          checked={queues}
          onChange={({ target }) => change({ queues: target.checked })}
        />
        <PluginFields settings={job} onChange={changeJob} />
      </MoreSettings>
    </FormModal>
  );
}
