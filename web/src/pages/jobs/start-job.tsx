import { useState } from 'react';
import { newIdempotencyKey, useStartJob } from '../../api/jobs.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { FIRST_SETTINGS, JobFields } from '../../components/job-fields.tsx';
import { texts } from '../../texts.ts';

/** The form that starts a job. */
export function StartJob({
  onClose,
  onStarted,
}: {
  onClose: () => void;
  onStarted: (jobId: string) => void;
}) {
  const { form } = texts.jobs;
  const [job, setJob] = useState(FIRST_SETTINGS);
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const start = useStartJob(({ id }) => onStarted(id));
  return (
    <FormModal
      title={texts.jobs.start}
      mutation={start}
      submit={form.submit}
      submitting={form.submitting}
      onSubmit={() => start.mutate({ body: { ...job, target: job.target.trim() }, idempotencyKey })}
      onClose={onClose}
    >
      <JobFields
        settings={job}
        error={start.error}
        onChange={(changes) => {
          setJob({ ...job, ...changes });
          setIdempotencyKey(newIdempotencyKey());
        }}
      />
    </FormModal>
  );
}
