import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { newIdempotencyKey, useStartJob } from '../../api/jobs.ts';
import { keys } from '../../api/keys.ts';
import { sourceName } from '../../api/original.ts';
import { useSession } from '../../api/session.ts';
import { Button, TextField } from '../../components/controls.tsx';
import { Form } from '../../components/form.tsx';
import { beginningOf } from '../../components/plain-text.ts';
import { fieldError } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { firstStepsTexts } from '../../texts/first-steps.ts';

const words = firstStepsTexts.word;
const LIMIT = 50;
const MOST_NAME_LENGTH = 255;
const MOST_WORD_LENGTH = 500;

type Suggestions = Schemas['QuerySuggestionsDto'];

/** What the first steps have started. */
export interface Started {
  jobId: string;
  /** The alert for a word. */
  alertId?: string;
}

/** From a word to an alert that listens for it: the word, then one of the queries for it. */
export function WordSteps({
  onStarted,
  onPlace,
}: {
  onStarted: (started: Started) => void;
  /** A place where it is talked about was chosen. */
  onPlace: (target: string) => void;
}) {
  const { workspace_id } = useSession();
  const [about, setAbout] = useState('');
  const suggest = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/queries/suggest', {
          params: { path: { workspace_id } },
          body: { about },
        }),
      ),
  });
  const suggestions = suggest.data;
  const isEmpty = suggestions?.queries.length === 0;
  return (
    <>
      <Form
        className="flex flex-col gap-3"
        error={suggest.error}
        onSubmit={() => suggest.mutate()}
        actions={
          <Button
            type="submit"
            className="self-start"
            look={suggestions === undefined || isEmpty ? 'primary' : 'plain'}
            disabled={suggest.isPending}
          >
            {suggest.isPending ? words.suggesting : words.suggest}
          </Button>
        }
      >
        <TextField
          label={words.label}
          error={fieldError(suggest.error, 'about') ?? (isEmpty ? words.none : undefined)}
          required
          maxLength={MOST_WORD_LENGTH}
          value={about}
          onChange={(text) => {
            setAbout(text);
            suggest.reset();
          }}
        />
      </Form>
      {suggestions !== undefined && !isEmpty && (
        <QueryChoice about={about.trim()} suggestions={suggestions} onStarted={onStarted} onPlace={onPlace} />
      )}
    </>
  );
}

function QueryChoice({
  about,
  suggestions: { queries, places },
  onStarted,
  onPlace,
}: {
  about: string;
  suggestions: Suggestions;
} & Parameters<typeof WordSteps>[0]) {
  const [q, setQ] = useState(queries[0]!.q);
  const chosen = queries.find((query) => query.q === q)!;
  const start = useListening(about, chosen, onStarted);
  return (
    <Form
      className="mt-5 space-y-4"
      error={start.error}
      onSubmit={() => start.mutate()}
      actions={
        <Button type="submit" look="primary" disabled={start.isPending}>
          {start.isPending ? words.listening : words.listen}
        </Button>
      }
    >
      <fieldset className="space-y-3">
        <legend className="mb-2 font-medium">{words.choose}</legend>
        {queries.map((query) => (
          <label key={query.q} className="flex gap-2.5">
            <input
              type="radio"
              name="query"
              className="mt-1 accent-accent"
              checked={query.q === q}
              onChange={() => setQ(query.q)}
            />
            <span className="min-w-0">
              <span className="block font-mono text-sm [overflow-wrap:anywhere]">{query.q}</span>
              <span className="block text-[13px] text-muted">
                {query.why} {query.matches > 0 && words.matches(formatNumber(query.matches))}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="text-sm text-muted">
        {chosen.listen.length === 0
          ? words.collects
          : words.listens(chosen.listen.map((source) => sourceName(source)).join(', '))}
      </p>
      {places.length > 0 && <Places places={places} onPlace={onPlace} />}
    </Form>
  );
}

/** Where it is talked about, by what is stored. */
function Places({ places, onPlace }: Pick<Suggestions, 'places'> & { onPlace: (target: string) => void }) {
  return (
    <p className="text-sm">
      {words.places}{' '}
      {places.map(({ target, why }) => (
        <Button key={target} title={why} className="mr-1.5 mb-1.5" onClick={() => onPlace(target)}>
          {target}
        </Button>
      ))}
    </p>
  );
}

/** Creates the alert, which then finds what the job collects. */
function useListening(
  about: string,
  { q, listen }: Suggestions['queries'][number],
  onStarted: (started: Started) => void,
) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const startJob = useStartJob();
  // A repeated attempt creates no second alert.
  const key = useMemo(newIdempotencyKey, [q]);
  return useMutation({
    mutationFn: async (): Promise<Started> => {
      const alert = await dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/alerts', {
          params: { path: { workspace_id }, header: { 'Idempotency-Key': key } },
          body: {
            ...{ name: beginningOf(about, MOST_NAME_LENGTH), query: q, keywords: [], of: 'all' },
            ...(listen.length > 0 && { listen }),
          },
        }),
      );
      void client.invalidateQueries({ queryKey: keys.allAlerts() });
      const job = await startJob(
        { target: `hn:search/${about}`, limit: LIMIT, download_media: false },
        newIdempotencyKey(),
      );
      return { jobId: job.id, alertId: alert.id };
    },
    onSuccess: onStarted,
  });
}
