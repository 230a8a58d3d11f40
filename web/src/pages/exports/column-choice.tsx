import { KINDS } from '../../api/kinds.ts';
import { Button, Checkbox } from '../../components/controls.tsx';
import { exportsTexts } from '../../texts/exports.ts';

const words = exportsTexts.columns;

/** The columns that an export of posts or comments has, in the order of the files. */
export const columnsOf = (of: 'posts' | 'comments'): readonly string[] => KINDS.exportColumns[of];

/** The columns of an export, folded until they are wanted; all of them unless some are chosen. */
export function ColumnChoice({
  of,
  chosen,
  error,
  onChange,
}: {
  of: 'posts' | 'comments';
  /** Null for all. */
  chosen: readonly string[] | null;
  error: string | undefined;
  onChange: (chosen: readonly string[] | null) => void;
}) {
  const all = columnsOf(of);
  const isChosen = (name: string): boolean => chosen === null || chosen.includes(name);
  const toggle = (name: string): void => {
    const next = all.filter((one) => (one === name ? !isChosen(one) : isChosen(one)));
    onChange(next.length === all.length ? null : next);
  };
  return (
    <details className="rounded-xl border border-line px-3 py-2">
      <summary className="w-fit text-sm font-medium">
        {words.title}
        <span className="ml-2 font-normal text-muted">
          {chosen === null ? words.all(all.length) : words.some(chosen.length, all.length)}
        </span>
      </summary>
      <fieldset aria-label={words.title} className="mt-2">
        <div className="flex gap-2">
          <Button disabled={chosen === null} onClick={() => onChange(null)}>
            {words.chooseAll}
          </Button>
          <Button disabled={chosen?.length === 0} onClick={() => onChange([])}>
            {words.chooseNone}
          </Button>
        </div>
        <div className="mt-1 grid gap-x-4 font-mono [overflow-wrap:anywhere] sm:grid-cols-3">
          {all.map((name) => (
            <Checkbox key={name} label={name} checked={isChosen(name)} onChange={() => toggle(name)} />
          ))}
        </div>
      </fieldset>
      {error !== undefined && <p className="mt-1 text-[13px] text-bad">{error}</p>}
    </details>
  );
}
