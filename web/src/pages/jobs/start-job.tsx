import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { newIdempotencyKey, useStartJob } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import { Button, Checkbox, Field, inputClass, Select } from '../../components/controls.tsx';
import { Modal } from '../../components/modal.tsx';
import { ErrorNote, fieldError } from '../../components/states.tsx';
import { texts } from '../../texts.ts';

type NewJob = Required<Schemas['CreateJobDto']>;

/** The form that starts a job. */
export function StartJob({
  onClose,
  onStarted,
}: {
  onClose: () => void;
  onStarted: (jobId: string) => void;
}) {
  const { workspace_id } = useSession();
  const { form } = texts.jobs;
  const [job, setJob] = useState<NewJob>({
    target: '',
    target_type: 'forum',
    mode: 'full',
    limit: 100,
    scrape_comments: true,
    download_media: false,
    plugins: [],
  });
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const set = (changes: Partial<NewJob>): void => {
    setJob({ ...job, ...changes });
    setIdempotencyKey(newIdempotencyKey());
  };
  const plugins = useQuery({
    queryKey: ['plugins', workspace_id],
    queryFn: () =>
      dataOf(api.GET('/api/v1/workspaces/{workspace_id}/plugins', { params: { path: { workspace_id } } })),
    staleTime: Infinity,
  });
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
        <Field label={form.target} hint={form.targetHint} error={fieldError(start.error, 'target')}>
          {(control) => (
            <input
              {...control}
              className={inputClass}
              required
              maxLength={255}
              autoCapitalize="off"
              spellCheck={false}
              value={job.target}
              onChange={({ target }) => set({ target: target.value })}
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={form.targetType}>
            {(control) => (
              <Select
                {...control}
                value={job.target_type}
                onChange={({ target }) => set({ target_type: target.value as NewJob['target_type'] })}
                options={[
                  ['forum', texts.jobs.targetTypes.forum],
                  ['user', texts.jobs.targetTypes.user],
                ]}
              />
            )}
          </Field>
          <Field label={form.limit} error={fieldError(start.error, 'limit')}>
            {(control) => (
              <input
                {...control}
                type="number"
                min={1}
                max={10_000}
                required
                className={inputClass}
                value={Number.isNaN(job.limit) ? '' : job.limit}
                onChange={({ target }) => set({ limit: target.valueAsNumber })}
              />
            )}
          </Field>
        </div>
        <Field label={form.mode}>
          {(control) => (
            <Select
              {...control}
              value={job.mode}
              onChange={({ target }) => set({ mode: target.value as NewJob['mode'] })}
              options={[
                ['full', form.modes.full],
                ['monitor', form.modes.monitor],
                ['history', form.modes.history],
              ]}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-x-6">
          <Checkbox
            label={form.comments}
            checked={job.scrape_comments}
            onChange={({ target }) => set({ scrape_comments: target.checked })}
          />
          <Checkbox
            label={form.media}
            checked={job.download_media}
            onChange={({ target }) => set({ download_media: target.checked })}
          />
        </div>
        {plugins.data !== undefined && plugins.data.length > 0 && (
          <fieldset>
            <legend className="mb-1 text-sm font-medium">{form.plugins}</legend>
            <div className="flex flex-wrap gap-x-6">
              {plugins.data.map(({ name, description }) => (
                <Checkbox
                  key={name}
                  label={name}
                  title={description}
                  checked={job.plugins.includes(name)}
                  onChange={({ target }) =>
                    set({
                      plugins: target.checked
                        ? [...job.plugins, name]
                        : job.plugins.filter((one) => one !== name),
                    })
                  }
                />
              ))}
            </div>
          </fieldset>
        )}
        {start.error && <ErrorNote error={start.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="primary" disabled={start.isPending}>
            {start.isPending ? form.submitting : form.submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
