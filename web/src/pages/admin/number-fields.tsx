import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { KINDS } from '../../api/kinds.ts';
import { choices } from '../../choices.ts';
import { api, dataOf } from '../../api/client.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Button, TextField } from '../../components/controls.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { useForm } from '../../components/use-form.ts';
import { formatBytes, formatNumber } from '../../format.ts';
import { adminTexts } from '../../texts/admin.ts';
import { useBriefly } from '../../timers.ts';
import type { AdminWorkspace } from './admin-queries.ts';
import { keys } from '../../api/keys.ts';

const words = adminTexts.workspace;

/** The quotas of a workspace that differ from the operator's defaults; an empty field means the default. */
export function QuotaFields({ workspace }: { workspace: AdminWorkspace }) {
  const defaults: Record<string, number | undefined> = workspace.quota_defaults;
  return (
    <NumberFields
      workspace={workspace}
      field="quotas"
      words={words.quotas}
      labels={KINDS.quotas.map(({ name, title }) => [name, title] as const)}
      standardOf={(name) => {
        const limit = defaults[name];
        if (limit === undefined || limit === 0) return words.quotas.unlimited;
        return words.quotas.standard(name.endsWith('_bytes') ? formatBytes(limit) : formatNumber(limit));
      }}
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
      labels={choices(KINDS.lists.retained, words.retention.kinds)}
      standardOf={() => words.retention.standard}
      question={words.retention.question}
    />
  );
}

interface Numbers {
  workspace: AdminWorkspace;
  field: 'quotas' | 'retention_days';
  words: { title: string; hint: string; save: string; saved: string };
  labels: readonly (readonly [name: string, label: string])[];
  /** What applies where the field is empty. */
  standardOf: (name: string) => string;
  /** The confirmation to ask for before saving. */
  question?: { title: string; text: string };
}

/** The numbers as they are typed; an empty one is sent as null. */
function useNumbers({ workspace, field, labels }: Numbers, onSaved: () => void) {
  const client = useQueryClient();
  return useForm<Record<string, string>, unknown>({
    initial: () =>
      Object.fromEntries(Object.entries(workspace[field]).map(([name, value]) => [name, String(value)])),
    send: (values) => {
      const numbers = labels.map(([name]) => [name, values[name] ? Number(values[name]) : null]);
      return dataOf(
        api.PATCH('/api/v1/admin/workspaces/{workspace_id}', {
          params: { path: { workspace_id: workspace.id } },
          body: { [field]: Object.fromEntries(numbers) },
        }),
      );
    },
    onSent: () => {
      onSaved();
      return client.invalidateQueries({ queryKey: keys.admin() });
    },
  });
}

/** Numeric settings of a workspace by name, which are saved together. */
function NumberFields(numbers: Numbers) {
  const { field, words: texts, labels, standardOf, question } = numbers;
  const [asking, setAsking] = useState(false);
  const [isSaved, saySaved] = useBriefly();
  const form = useNumbers(numbers, () => {
    setAsking(false);
    saySaved(true);
  });
  return (
    <Panel title={texts.title}>
      <Form
        error={form.error}
        onSubmit={() => (question === undefined ? void form.submit() : setAsking(true))}
        actions={
          <div className="mt-4 flex items-center justify-end gap-3">
            <span role="status" className="text-sm text-good">
              {isSaved && texts.saved}
            </span>
            <Button type="submit" look="primary" disabled={form.isPending}>
              {texts.save}
            </Button>
          </div>
        }
      >
        <p className="mb-4 text-sm text-muted">{texts.hint}</p>
        <div className="mb-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {labels.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              error={form.errorOf(`${field}.${name}`)}
              type="number"
              min={0}
              placeholder={standardOf(name)}
              value={form.value[name] ?? ''}
              onChange={(value) => {
                saySaved(false);
                form.change({ [name]: value });
              }}
            />
          ))}
        </div>
      </Form>
      {asking && question !== undefined && (
        <Confirm {...question} action={texts.save} run={form.submit} onClose={() => setAsking(false)} />
      )}
    </Panel>
  );
}
