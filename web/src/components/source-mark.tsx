import { KINDS } from '../api/kinds.ts';

/** Colours of the marks, which tell sources apart at a glance; their letters tell them apart without colours. */
const COLOURS = ['bg-raised text-ink', 'bg-accent-soft text-accent', 'bg-fresh-soft text-fresh'] as const;

/** A letter on a ground for the source of a post or comment, with the source's name. */
export function SourceMark({ postId }: { postId: string }) {
  const index = KINDS.sources.findIndex(({ postPrefix }) => postId.startsWith(postPrefix));
  const source = KINDS.sources[index];
  if (source === undefined) return null;
  return (
    <span
      title={source.name}
      className={`inline-grid size-4 shrink-0 place-items-center self-center rounded text-[10px] font-bold ${COLOURS[index % COLOURS.length]}`}
    >
      <span aria-hidden="true">{source.name[0]}</span>
      <span className="sr-only">{source.name}</span>
    </span>
  );
}
