import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { Button, Field, inputClass } from '../../components/controls.tsx';
import { Panel } from '../../components/page.tsx';
import { ErrorNote, fieldError } from '../../components/states.tsx';
import { texts } from '../../texts.ts';
import type { AdminWorkspace } from './admin-queries.ts';

const words = texts.admin.workspace.quotas;

type Quota = keyof Schemas['QuotaOverridesDto'];
const QUOTAS: readonly Quota[] = [
  'pending_jobs',
  'schedules',
  'alerts',
  'alert_keywords',
  'webhooks',
  'api_keys',
  'media_bytes',
  'concurrent_searches',
  'event_streams',
  'running_exports',
];

/** The quotas of a workspace that differ from the operator's defaults; an empty field means the default. */
export function QuotaFields({ workspace }: { workspace: AdminWorkspace }) {
  const client = useQueryClient();
  const [values, setValues] = useState<Partial<Record<Quota, string>>>(() =>
    Object.fromEntries(Object.entries(workspace.quotas).map(([name, value]) => [name, String(value)])),
  );
  const save = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/api/v1/admin/workspaces/{workspace_id}', {
          params: { path: { workspace_id: workspace.id } },
          body: {
            quotas: Object.fromEntries(
              QUOTAS.map((name) => [name, (values[name] ?? '') === '' ? null : Number(values[name])]),
            ),
          },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin'] }),
  });
  return (
    <Panel title={words.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <p className="mb-4 text-sm text-muted">{words.hint}</p>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {QUOTAS.map((name) => (
            <Field
              key={name}
              label={texts.settings.usage.names[name] ?? name}
              error={fieldError(save.error, `quotas.${name}`)}
            >
              {(control) => (
                <input
                  {...control}
                  type="number"
                  min={0}
                  className={inputClass}
                  placeholder={words.standard}
                  value={values[name] ?? ''}
                  onChange={({ target }) => setValues({ ...values, [name]: target.value })}
                />
              )}
            </Field>
          ))}
        </div>
        {save.error && (
          <div className="mt-4">
            <ErrorNote error={save.error} />
          </div>
        )}
        <div className="mt-4 flex items-center justify-end gap-3">
          <span role="status" className="text-sm text-good">
            {save.isSuccess && words.saved}
          </span>
          <Button type="submit" look="primary" disabled={save.isPending}>
            {words.save}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
