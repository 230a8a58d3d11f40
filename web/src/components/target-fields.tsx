import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { api, dataOf, type Schemas } from '../api/client.ts';
import { KINDS } from '../api/kinds.ts';
import { keys } from '../api/keys.ts';
import { sourceName } from '../api/original.ts';
import { sourcesQuery } from '../api/sources.ts';
import { useSession } from '../api/session.ts';
import { HAS_SYNTHETIC_REDDIT } from '../synthetic.ts';
import { jobsTexts } from '../texts/jobs.ts';
import { useDelayed } from '../timers.ts';
import { Field, inputClass, SelectField } from './controls.tsx';
import { fieldError } from './states.tsx';

const { form } = jobsTexts;
const TARGET_HINT = HAS_SYNTHETIC_REDDIT ? `${form.targetHint} ${form.synthetic}` : form.targetHint;
const TYPING_MS = 300;
/** The names of all sources that are no invention, as part of a sentence. */
const SOURCE_NAMES = KINDS.sources
  .filter(({ source }) => source !== 'synthetic')
  .map(({ name }) => name)
  .join(', ');

export type Target = Pick<Required<Schemas['CreateJobDto']>, 'target' | 'target_type'>;

/** Whether a text is the address of a page rather than the name of a target. */
export const isAddress = (text: string): boolean => /^(https?:\/\/|www\.)\S+\.\S+/i.test(text.trim());

/** The forms of targets of all sources, as choices with an explanation. */
function TargetChoices({ id }: { id: string }) {
  const { data } = useQuery(sourcesQuery);
  return (
    <datalist id={id}>
      {data?.sources.flatMap(({ name, targets }) =>
        targets.map(({ example, description }) => (
          <option key={example} value={example}>
            {name}: {description}
          </option>
        )),
      )}
    </datalist>
  );
}

/** The name of a forum or user, with the forms of all sources as choices. */
function TargetField({
  hint,
  error,
  value,
  onChange,
}: {
  hint: string;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <Field label={form.target} hint={hint} error={error}>
      {(control) => (
        <>
          <input
            {...control}
            className={inputClass}
            required
            maxLength={2_000}
            list={id}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <TargetChoices id={id} />
        </>
      )}
    </Field>
  );
}

/** A target by its name, or by the pasted address of its page, which is replaced by its name. */
export function JobTargetFields({
  target: { target, target_type },
  error,
  onChange,
}: {
  target: Target;
  error: Error | null;
  onChange: (changes: Target) => void;
}) {
  const { workspace_id } = useSession();
  const url = useDelayed(isAddress(target) ? target.trim() : '', TYPING_MS);
  const resolved = useQuery({
    queryKey: keys.resolved(workspace_id, url),
    queryFn: () =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/sources/resolve', {
          params: { path: { workspace_id } },
          body: { url },
        }),
      ),
    enabled: url !== '',
    retry: false,
    staleTime: Infinity,
  });
  const [recognised, setRecognised] = useState('');
  const found = resolved.data;
  useEffect(() => {
    if (found === undefined || url === '' || url !== target.trim()) return;
    setRecognised(form.recognised(found.name, sourceName(found.source)));
    onChange({ target: found.target, target_type: found.target_type });
  }, [found, url, target, onChange]);
  const unknown =
    resolved.error !== null && url === target.trim() ? form.unknownAddress(SOURCE_NAMES) : undefined;
  return (
    <div className="grid gap-3 sm:grid-cols-[1fr_8rem]">
      <TargetField
        hint={recognised === '' ? TARGET_HINT : recognised}
        error={unknown ?? fieldError(error, 'target')}
        value={target}
        onChange={(name) => {
          setRecognised('');
          onChange({ target: name, target_type });
        }}
      />
      <SelectField
        label={form.targetType}
        value={target_type}
        options={[
          ['forum', jobsTexts.targetTypes.forum],
          ['user', jobsTexts.targetTypes.user],
        ]}
        onChange={(type) => onChange({ target, target_type: type })}
      />
    </div>
  );
}
