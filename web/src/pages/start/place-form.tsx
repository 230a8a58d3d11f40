import { useMutation, useQuery } from '@tanstack/react-query';
import { newIdempotencyKey, useStartJob } from '../../api/jobs.ts';
import { sourcesQuery } from '../../api/sources.ts';
import { Button } from '../../components/controls.tsx';
import { Form } from '../../components/form.tsx';
import { JobTargetFields, type Target } from '../../components/target-fields.tsx';
import { firstStepsTexts } from '../../texts/first-steps.ts';
import type { Started } from './word-steps.tsx';

const words = firstStepsTexts.place;
const LIMIT = 50;

/** Collects a place, which is pasted, typed, or begun with the example of a source. */
export function PlaceForm({
  target,
  onChange,
  onStarted,
}: {
  target: Target;
  onChange: (target: Target) => void;
  onStarted: (started: Started) => void;
}) {
  const startJob = useStartJob();
  const start = useMutation({
    mutationFn: () =>
      startJob(
        { ...target, target: target.target.trim(), limit: LIMIT, download_media: false },
        newIdempotencyKey(),
      ),
    onSuccess: ({ id }) => onStarted({ jobId: id }),
  });
  return (
    <>
      <Form
        className="flex flex-col gap-3"
        error={start.error}
        onSubmit={() => start.mutate()}
        actions={
          <Button type="submit" className="self-start" disabled={start.isPending}>
            {start.isPending ? firstStepsTexts.starting : firstStepsTexts.start}
          </Button>
        }
      >
        <JobTargetFields target={target} error={start.error} onChange={onChange} />
      </Form>
      <SourceCards onChoose={onChange} />
    </>
  );
}

/** Every source with the example of its first form; a synthetic source stands in place of the one whose targets it serves. */
function SourceCards({ onChoose }: { onChoose: (target: Target) => void }) {
  const { data } = useQuery(sourcesQuery);
  const cards = new Map(
    data?.sources.flatMap(({ name, targets: [first] }) =>
      first === undefined ? [] : [[first.example, { name, ...first }] as const],
    ),
  );
  return (
    <>
      <h3 className="mt-5 mb-2 text-sm font-medium">{words.sources}</h3>
      <ul className="grid min-h-40 grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {[...cards.values()].map(({ name, example, target_type, description }) => (
          <li key={example}>
            <button
              type="button"
              className="h-full w-full rounded-lg border border-line px-3 py-2 text-left [overflow-wrap:anywhere] hover:bg-raised"
              onClick={() => onChoose({ target: example, target_type: target_type as Target['target_type'] })}
            >
              <span className="block text-sm font-medium">{name}</span>
              <span className="block text-[13px] text-muted">{description}</span>
              <span className="block truncate font-mono text-xs text-muted">{example}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
