import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { KINDS } from '../../api/kinds.ts';
import { anyOr } from '../../choices.ts';
import type { MatchPage } from '../../api/matches.ts';
import { useSession } from '../../api/session.ts';
import { Button, inputClass, Select } from '../../components/controls.tsx';
import { formatNumber } from '../../format.ts';
import { mentionsTexts } from '../../texts/mentions.ts';
import { searchTexts } from '../../texts/search.ts';
import { alertsQuery } from '../alerts/alerts.ts';
import { type MentionsState, ORDERS, STATES } from './mentions-state.ts';
import type { TriageAction } from './triage.ts';

const words = mentionsTexts;
const MAX_LABEL = 50;
const route = getRouteApi('/mentions');

/** The states with their counts, and the other filters. */
export function MentionFilters({
  state,
  counts,
  labels,
}: {
  state: MentionsState;
  counts: MatchPage['counts'] | undefined;
  labels: readonly string[];
}) {
  const { workspace_id } = useSession();
  const navigate = route.useNavigate();
  const alerts = useQuery(alertsQuery(workspace_id)).data ?? [];
  const change = (changes: Partial<MentionsState>): void =>
    void navigate({ search: { ...state, ...changes }, resetScroll: false });
  const known = state.label === undefined || labels.includes(state.label) ? labels : [...labels, state.label];
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <StateTabs state={state} counts={counts} />
      <div className="grid grid-cols-4 gap-2 max-sm:w-full max-sm:grid-cols-2 max-sm:*:px-1 max-sm:*:text-[13px] lg:w-168">
        <Select
          aria-label={words.byAlert}
          value={state.alert ?? ''}
          onChange={(alert) => change({ alert: alert || undefined })}
          options={[['', words.anyAlert], ...alerts.map(({ id, name }) => [id, name] as const)]}
        />
        <Select
          aria-label={words.bySentiment}
          value={state.sentiment ?? ''}
          onChange={(sentiment) => change({ sentiment: sentiment || undefined })}
          options={anyOr(words.anySentiment, KINDS.lists.sentiments, searchTexts.sentiments)}
        />
        <Select
          aria-label={words.byLabel}
          value={state.label ?? ''}
          onChange={(label) => change({ label: label || undefined })}
          options={[['', words.anyLabel], ...known.map((label) => [label, label] as const)]}
        />
        <Select
          aria-label={words.byOrder}
          value={state.order ?? ''}
          onChange={(order) => change({ order: order || undefined })}
          options={anyOr(words.newestFirst, ORDERS, words.orders)}
        />
      </div>
    </div>
  );
}

function StateTabs({ state, counts }: { state: MentionsState; counts: MatchPage['counts'] | undefined }) {
  return (
    <nav aria-label={words.byState} className="flex flex-wrap gap-1 max-sm:gap-0">
      {STATES.map((one) => (
        <Link
          key={one}
          to="/mentions"
          search={{ ...state, state: one === 'new' ? undefined : one }}
          aria-current={(state.state ?? 'new') === one ? 'page' : undefined}
          className="rounded-full px-2.5 py-1 text-[13px] max-sm:px-2 text-ink no-underline hover:bg-raised aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold"
        >
          {words.states[one]}
          {counts !== undefined && (
            <span className="ml-1.5 text-muted tabular-nums">
              {formatNumber(one === 'all' ? Object.values(counts).reduce((a, b) => a + b, 0) : counts[one])}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}

/** What can be done with the selected mentions at once. */
export function SelectionBar({
  selected,
  shown,
  onAll,
  onAction,
  onLabel,
}: {
  selected: number;
  shown: number;
  onAll: (all: boolean) => void;
  onAction: (action: TriageAction) => void;
  onLabel: (label: string) => void;
}) {
  const [label, setLabel] = useState('');
  const isNone = selected === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isNone || label.trim() === '') return;
    onLabel(label.trim());
    setLabel('');
  };
  return (
    <div className="sticky top-0 z-10 mb-2 flex min-h-12 flex-wrap max-md:flex-nowrap max-md:overflow-x-auto max-md:*:shrink-0 items-center gap-2 bg-canvas py-1.5">
      <label className="flex items-center gap-2 px-3 text-[13px] text-muted">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={shown > 0 && selected === shown}
          onChange={({ target }) => onAll(target.checked)}
        />
        {isNone ? words.selectAll(formatNumber(shown)) : words.selected(formatNumber(selected))}
      </label>
      {!isNone && (
        <>
          {(['done', 'keep', 'dismiss'] as const).map((action) => (
            <Button key={action} onClick={() => onAction(action)}>
              {words.actions[action]}
            </Button>
          ))}
          <form className="flex gap-2" onSubmit={submit}>
            <input
              aria-label={words.addLabel}
              placeholder={words.addLabel}
              className={`${inputClass} w-36`}
              maxLength={MAX_LABEL}
              value={label}
              onChange={({ target }) => setLabel(target.value)}
            />
          </form>
        </>
      )}
      {isNone && <KeyHints />}
    </div>
  );
}

function KeyHints() {
  return (
    <p className="ml-auto text-[12px] text-muted max-md:hidden">
      {words.keys.map(([key, meaning]) => (
        <span key={key} className="ml-3">
          <kbd className="rounded border border-line bg-surface px-1 font-sans text-[11px]">{key}</kbd>{' '}
          {meaning}
        </span>
      ))}
    </p>
  );
}
