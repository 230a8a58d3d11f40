import type { ComponentProps } from 'react';
import { KINDS } from '../../api/kinds.ts';
import { choices } from '../../choices.ts';
import { Select } from '../../components/controls.tsx';
import { searchTexts } from '../../texts/search.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { splitName } from './trend-lines.ts';
import { measuresOf, type Period, PERIODS, splitsOf, type TrendsState } from './trends-state.ts';

const words = trendsTexts;

/** What is counted, over which period, and how it is drawn. */
export function TrendControls({
  state,
  period,
  onChange,
}: {
  state: TrendsState;
  /** The period that is shown; that of the state, or one that has data. */
  period: Period;
  onChange: (changes: Partial<TrendsState>) => void;
}) {
  return (
    <div className="my-3 grid grid-cols-2 gap-2 max-sm:*:last:col-span-2 sm:my-4 sm:grid-cols-3 xl:grid-cols-5">
      <Choice
        label={searchTexts.ofLabel}
        value={state.of ?? 'posts'}
        onChange={(of) => onChange({ of: of === 'comments' ? of : undefined })}
        options={choices(KINDS.lists.subjects, searchTexts.of)}
      />
      <Choice
        label={words.period}
        value={period}
        onChange={(chosen) => onChange({ period: chosen })}
        options={PERIODS.map((one) => [one, words.periods[one]] as const)}
      />
      <Choice
        label={words.interval}
        value={state.interval ?? ''}
        onChange={(interval) => onChange({ interval: interval || undefined })}
        options={[
          ['', words.usualInterval],
          ...KINDS.lists.intervals.map((one) => [one, words.byInterval(searchTexts.intervals[one])] as const),
        ]}
      />
      <Choice
        label={words.split}
        value={state.split ?? ''}
        disabled={splitsOf(state).length === 0}
        onChange={(split) => onChange({ split: split || undefined })}
        options={[['', words.noSplit], ...splitsOf(state).map((one) => [one, splitName(one)] as const)]}
      />
      <Choice
        label={words.measure}
        value={state.measure ?? 'count'}
        disabled={measuresOf(state).length === 1}
        onChange={(measure) => onChange({ measure: measure === 'count' ? undefined : measure })}
        options={measuresOf(state).map((one) => [one, words.measures[one]] as const)}
      />
    </div>
  );
}

/** A choice below its name. */
function Choice<T extends string>({
  label,
  ...rest
}: Omit<ComponentProps<typeof Select<T>>, 'aria-label'> & { label: string }) {
  return (
    <div className="min-w-0">
      <span aria-hidden="true" className="mb-0.5 block text-[12px] text-muted">
        {label}
      </span>
      <Select aria-label={label} {...rest} />
    </div>
  );
}
