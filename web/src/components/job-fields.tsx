import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { HAS_SYNTHETIC_REDDIT } from '../synthetic.ts';
import { texts } from '../texts.ts';
import { Checkbox, Field, inputClass, Select } from './controls.tsx';
import { fieldError } from './states.tsx';
import { keys } from '../api/keys.ts';

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

const { form } = texts.jobs;
const TARGET_HINT = HAS_SYNTHETIC_REDDIT
  ? `${form.targetHint} ${texts.firstSteps.forumSynthetic}`
  : form.targetHint;

/** The name of a forum or user. */
export function TargetField({
  label = form.target,
  hint,
  error,
  value,
  onChange,
}: {
  label?: string;
  hint?: string;
  error: Error | null;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })} error={fieldError(error, 'target')}>
      {(control) => (
        <input
          {...control}
          className={inputClass}
          required
          maxLength={255}
          autoCapitalize="off"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** What a job collects, for a job that starts now and for the jobs of a schedule. */
export function JobFields({
  settings,
  hasTarget = true,
  error,
  onChange,
}: {
  settings: JobSettings;
  hasTarget?: boolean;
  error: Error | null;
  onChange: (changes: Partial<JobSettings>) => void;
}) {
  return (
    <>
      {hasTarget && (
        <TargetField
          hint={TARGET_HINT}
          error={error}
          value={settings.target}
          onChange={(target) => onChange({ target })}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {hasTarget && (
          <Field label={form.targetType}>
            {(control) => (
              <Select
                {...control}
                value={settings.target_type}
                onChange={({ target }) =>
                  onChange({ target_type: target.value as JobSettings['target_type'] })
                }
                options={[
                  ['forum', texts.jobs.targetTypes.forum],
                  ['user', texts.jobs.targetTypes.user],
                ]}
              />
            )}
          </Field>
        )}
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
      </div>
      <Field label={form.mode}>
        {(control) => (
          <Select
            {...control}
            value={settings.mode}
            onChange={({ target }) => onChange({ mode: target.value as JobSettings['mode'] })}
            options={(['full', 'monitor', 'history'] as const).map(
              (mode) => [mode, form.modes[mode]] as const,
            )}
          />
        )}
      </Field>
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
      <Plugins chosen={settings.plugins} onChange={(plugins) => onChange({ plugins })} />
    </>
  );
}

function Plugins({ chosen, onChange }: { chosen: string[]; onChange: (plugins: string[]) => void }) {
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
      <div>
        {plugins.data.map(({ name, description }) => (
          <Checkbox
            key={name}
            label={name}
            hint={description}
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
