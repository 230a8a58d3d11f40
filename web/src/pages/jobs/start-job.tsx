import { useStartJob } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
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
import { jobsTexts } from '../../texts/jobs.ts';

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
  const { workspace_id } = useSession();
  const startJob = useStartJob();
  const form = useForm({
    draft: `job ${workspace_id} ${settings.target}`,
    initial: settings,
    send: (job, key) => startJob({ ...job, target: job.target.trim() }, key),
    onSent: ({ id }) => onStarted(id),
  });
  const { value: job, change } = form;
  return (
    <FormModal title={jobsTexts.start} form={form} words={jobsTexts.form} onClose={onClose}>
      <JobTargetFields target={job} error={form.error} onChange={change} />
      <div className="grid gap-3 sm:grid-cols-[1fr_8rem]">
        <ModeField settings={job} onChange={change} />
        <LimitField settings={job} error={form.error} onChange={change} />
      </div>
      <ContentFields settings={job} onChange={change} />
      <MoreSettings>
        <PluginFields settings={job} onChange={change} />
      </MoreSettings>
    </FormModal>
  );
}
