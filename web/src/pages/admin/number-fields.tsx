import { KINDS } from '../../api/kinds.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Button, TextField } from '../../components/controls.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { fieldError } from '../../components/states.tsx';
import { texts } from '../../texts.ts';
import { useBriefly } from '../../timers.ts';
import type { AdminWorkspace } from './admin-queries.ts';
import { keys } from '../../api/keys.ts';

const words = texts.admin.workspace;

type Kind = keyof Schemas['RetentionDaysDto'];
const AGED: readonly Kind[] = ['posts', 'comments', 'media', 'deliveries', 'jobs'];

/** The quotas of a workspace that differ from the operator's defaults; an empty field means the default. */
export function QuotaFields({ workspace }: { workspace: AdminWorkspace }) {
  return (
    <NumberFields
      workspace={workspace}
      field="quotas"
      words={words.quotas}
      labels={KINDS.quotas.map(({ name, title }) => [name, title] as const)}
    />
  );
}

/**
 * Days after which data of a workspace is deleted; an empty field means that it is kept. Saving asks for confirmation.
 */
export function RetentionFields({ workspace }: { workspace: AdminWorkspace }) {
  return (
    <NumberFields
      workspace={workspace}
      field="retention_days"
      words={words.retention}
      labels={AGED.map((kind) => [kind, words.retention.kinds[kind]] as const)}
      question={words.retention.question}
    />
  );
}

/** Numeric settings of a workspace by name, which are saved together. */
function NumberFields({
  workspace,
  field,
  words: { title, hint, standard, save: action, saved },
  labels,
  question,
}: {
  workspace: AdminWorkspace;
  field: 'quotas' | 'retention_days';
  words: { title: string; hint: string; standard: string; save: string; saved: string };
  labels: readonly (readonly [name: string, label: string])[];
  /** The confirmation to ask for before saving. */
  question?: { title: string; text: string };
}) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [isSaved, saySaved] = useBriefly();
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(Object.entries(workspace[field]).map(([name, value]) => [name, String(value)])),
  );
  const save = useMutation({
    mutationFn: () => {
      const numbers = labels.map(([name]) => [
        name,
        (values[name] ?? '') === '' ? null : Number(values[name]),
      ]);
      return dataOf(
        api.PATCH('/api/v1/admin/workspaces/{workspace_id}', {
          params: { path: { workspace_id: workspace.id } },
          body: { [field]: Object.fromEntries(numbers) },
        }),
      );
    },
    onSuccess: () => {
      saySaved(true);
      return client.invalidateQueries({ queryKey: keys.admin() });
    },
  });
  return (
    <Panel title={title}>
      <Form
        error={save.error}
        onSubmit={() => (question === undefined ? save.mutate() : setAsking(true))}
        actions={
          <div className="mt-4 flex items-center justify-end gap-3">
            <span role="status" className="text-sm text-good">
              {isSaved && saved}
            </span>
            <Button type="submit" look="primary" disabled={save.isPending}>
              {action}
            </Button>
          </div>
        }
      >
        <p className="mb-4 text-sm text-muted">{hint}</p>
        <div className="mb-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {labels.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              error={fieldError(save.error, `${field}.${name}`)}
              type="number"
              min={0}
              placeholder={standard}
              value={values[name] ?? ''}
              onChange={(value) => {
                saySaved(false);
                setValues({ ...values, [name]: value });
              }}
            />
          ))}
        </div>
      </Form>
      {asking && question !== undefined && (
        <Confirm
          {...question}
          action={action}
          run={() => save.mutateAsync()}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}
