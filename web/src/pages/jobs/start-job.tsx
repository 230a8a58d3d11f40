import { useState } from 'react';
import { newIdempotencyKey, useStartJob } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import { useDraft } from '../../components/drafts.ts';
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
import { useStable } from '../../timers.ts';
import { texts } from '../../texts.ts';

/** The form that starts a job, empty or with the settings of an earlier one. */
export function StartJob({
  settings = FIRST_SETTINGS,
  onClose,
  onStarted,
}: {
  settings?: JobSettings;
  onClose: () => void;
  onStarted: (jobId: string) => void;
}) {
  const { form } = texts.jobs;
  const { workspace_id } = useSession();
  const draft = useDraft(`job ${workspace_id} ${settings.target}`, settings);
  const job = draft.value;
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const start = useStartJob(({ id }) => {
    draft.discard();
    onStarted(id);
  });
  const change = useStable((changes: Partial<JobSettings>) => {
    draft.change((before) => ({ ...before, ...changes }));
    setIdempotencyKey(newIdempotencyKey());
  });
  return (
    <FormModal
      title={texts.jobs.start}
      mutation={start}
      submit={form.submit}
      submitting={form.submitting}
      onSubmit={() => start.mutate({ body: { ...job, target: job.target.trim() }, idempotencyKey })}
      isRestored={draft.isRestored}
      onCancel={draft.discard}
      onClose={onClose}
    >
      <JobTargetFields target={job} error={start.error} onChange={change} />
      <div className="grid gap-3 sm:grid-cols-[1fr_8rem]">
        <ModeField settings={job} onChange={change} />
        <LimitField settings={job} error={start.error} onChange={change} />
      </div>
      <ContentFields settings={job} onChange={change} />
      <MoreSettings>
        <PluginFields settings={job} onChange={change} />
      </MoreSettings>
    </FormModal>
  );
}
