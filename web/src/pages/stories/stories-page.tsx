import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { KINDS } from '../../api/kinds.ts';
import { useSession } from '../../api/session.ts';
import { choices } from '../../choices.ts';
import { Card } from '../../components/card.tsx';
import { Button, inputClass, Select } from '../../components/controls.tsx';
import { Page } from '../../components/page.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { storiesTexts } from '../../texts/stories.ts';
import { alertsQuery } from '../alerts/alerts.ts';
import { storiesQuery } from './stories.ts';
import type { StoriesState } from './stories-state.ts';
import { StoryTable } from './story-table.tsx';

const words = storiesTexts;
const route = getRouteApi('/stories');

/** What is told across posts and sources, of all that is stored or of an alert. */
export function StoriesPage() {
  const state = route.useSearch();
  const { workspace_id } = useSession();
  const stories = useInfiniteQuery(storiesQuery(workspace_id, state));
  return (
    <Page title={words.title}>
      <p className="mb-3 -mt-2 text-sm text-muted">{words.explanation}</p>
      <StoryFilters key={state.q} state={state} />
      <QueryView query={stories} rows={6}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.stories);
          const leftOut = pages[0]!.left_out;
          return all.length === 0 ? (
            <Empty title={words.none} hint={words.noneHint} />
          ) : (
            <Card className="px-4 py-1">
              <StoryTable stories={all} state={state} />
              {leftOut > 0 && (
                <p className="border-t border-line py-2 text-[13px] text-muted">
                  {words.leftOut(formatNumber(leftOut))}
                </p>
              )}
            </Card>
          );
        }}
      </QueryView>
      <LoadMore query={stories} />
    </Page>
  );
}

/** The choice of an alert, or of texts by a query. */
function StoryFilters({ state }: { state: StoriesState }) {
  const { workspace_id } = useSession();
  const navigate = route.useNavigate();
  const alerts = useQuery(alertsQuery(workspace_id)).data ?? [];
  const [q, setQ] = useState(state.q ?? '');
  const change = (changes: { [Name in keyof StoriesState]?: StoriesState[Name] | undefined }): void =>
    void navigate({ search: { ...state, ...changes } as StoriesState, resetScroll: false });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change({ q: q.trim() || undefined });
  };
  return (
    <form className="mb-3 flex flex-wrap gap-2" role="search" onSubmit={submit}>
      <input
        type="search"
        aria-label={words.query}
        placeholder={words.queryHint}
        className={`${inputClass} flex-1 basis-56`}
        maxLength={4000}
        value={q}
        onChange={({ target }) => setQ(target.value)}
      />
      <Select
        className={`${inputClass} w-52! max-sm:flex-1`}
        aria-label={words.byAlert}
        value={state.alert ?? ''}
        onChange={(alert) => change({ alert: alert || undefined })}
        options={[['', words.everything], ...alerts.map(({ id, name }) => [id, name] as const)]}
      />
      <Select
        className={`${inputClass} w-44! max-sm:flex-1`}
        aria-label={words.ofLabel}
        value={state.scope ?? 'posts'}
        onChange={(scope) => change({ scope: scope === 'posts' ? undefined : scope })}
        options={choices(KINDS.lists.alertScopes, words.ofNames)}
      />
      <Button type="submit">{words.show}</Button>
    </form>
  );
}
