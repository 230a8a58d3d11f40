import { useState } from 'react';
import { newIdempotencyKey, useStartJob } from '../../api/jobs.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { FIRST_SETTINGS, JobFields } from '../../components/job-fields.tsx';
import { Modal } from '../../components/modal.tsx';
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
    <Modal title={texts.jobs.start} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate({ body: { ...job, target: job.target.trim() }, idempotencyKey });
        }}
      >
        <JobFields
          settings={job}
          error={start.error}
          onChange={(changes) => {
            setJob({ ...job, ...changes });
            setIdempotencyKey(newIdempotencyKey());
          }}
        />
        <FormActions mutation={start} submit={form.submit} submitting={form.submitting} onCancel={onClose} />
      </form>
    </Modal>
  );
}
