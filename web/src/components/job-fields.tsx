import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { KINDS } from '../api/kinds.ts';
import { choices } from '../choices.ts';
import { api, dataOf, type Schemas } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { jobsTexts } from '../texts/jobs.ts';
import { schedulesTexts } from '../texts/schedules.ts';
import { Checkbox, Field, inputClass, SelectField } from './controls.tsx';
import { fieldError } from './states.tsx';
import { keys } from '../api/keys.ts';

/** What a job collects, for a job that starts now and for the jobs of a schedule. */
export type JobSettings = Required<Schemas['CreateJobDto']>;

export const FIRST_SETTINGS: JobSettings = {
  target: '',
  target_type: 'forum',
  mode: 'full',
  limit: 100,
  scrape_comments: true,
  download_media: false,
  plugins: [],
};

const { form } = jobsTexts;

interface Part {
  settings: JobSettings;
  onChange: (changes: Partial<JobSettings>) => void;
}

/** Which posts a job collects. */
export function ModeField({ settings, onChange }: Part) {
  return (
    <SelectField
      label={form.mode}
      value={settings.mode}
      options={choices(KINDS.lists.modes, form.modes)}
      onChange={(mode) => onChange({ mode })}
    />
  );
}

/** How many posts a job collects at most. */
export function LimitField({ settings, error, onChange }: Part & { error: Error | null }) {
  return (
    <Field label={form.limit} error={fieldError(error, 'limit')}>
      {(control) => (
        <input
          {...control}
          type="number"
          min={1}
          max={10_000}
          required
          className={inputClass}
          value={Number.isNaN(settings.limit) ? '' : settings.limit}
          onChange={({ target }) => onChange({ limit: target.valueAsNumber })}
        />
      )}
    </Field>
  );
}

/** Whether a job also collects comments and files. */
export function ContentFields({ settings, onChange }: Part) {
  return (
    <div className="flex flex-wrap gap-x-6">
      <Checkbox
        label={form.comments}
        checked={settings.scrape_comments}
        onChange={({ target }) => onChange({ scrape_comments: target.checked })}
      />
      <Checkbox
        label={form.media}
        checked={settings.download_media}
        onChange={({ target }) => onChange({ download_media: target.checked })}
      />
    </div>
  );
}

/** Settings that most people leave as they are, folded. */
export function MoreSettings({ children }: { children: ReactNode }) {
  return (
    <details className="rounded-xl border border-line px-3 py-2">
      <summary className="text-[13px] font-medium">{schedulesTexts.more}</summary>
      <div className="mt-3 space-y-3">{children}</div>
    </details>
  );
}

/** The plugins that process what a job collects; nothing while there are none. */
export function PluginFields({ settings: { plugins: chosen }, onChange }: Part) {
  const { workspace_id } = useSession();
  const plugins = useQuery({
    queryKey: keys.plugins(workspace_id),
    queryFn: () =>
      dataOf(api.GET('/api/v1/workspaces/{workspace_id}/plugins', { params: { path: { workspace_id } } })),
    staleTime: Infinity,
  });
  if (plugins.data === undefined || plugins.data.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{form.plugins}</legend>
      {plugins.data.map(({ name, description }) => (
        <Checkbox
          key={name}
          label={name}
          hint={description}
          checked={chosen.includes(name)}
          onChange={({ target }) =>
            onChange({ plugins: target.checked ? [...chosen, name] : chosen.filter((one) => one !== name) })
          }
        />
      ))}
    </fieldset>
  );
}
