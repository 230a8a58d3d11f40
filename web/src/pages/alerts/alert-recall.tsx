import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Panel } from '../../components/page.tsx';
import { PostLink } from '../../components/post-link.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { alertPageTexts } from '../../texts/alert-page.ts';
import type { Alert } from './alerts.ts';

const words = alertPageTexts.recall;
type Suggestion = Schemas['SuggestedWordDto'];

/** What an alert misses, estimated on demand because that takes seconds, with words that would find more. */
export function AlertRecall({ alert }: { alert: Alert }) {
  const { workspace_id } = useSession();
  const [isWanted, setWanted] = useState(false);
  const recall = useQuery({
    queryKey: keys.recall(workspace_id, alert.id),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}/recall', {
          params: { path: { workspace_id, alert_id: alert.id } },
          signal,
        }),
      ),
    enabled: isWanted,
    staleTime: Infinity,
  });
  return (
    <Panel
      title={words.title}
      actions={
        <Button
          disabled={recall.isFetching}
          onClick={() => (isWanted ? void recall.refetch() : setWanted(true))}
        >
          {recall.isFetching ? words.estimating : words.estimate}
        </Button>
      }
    >
      {recall.error ? (
        <ErrorNote error={recall.error} />
      ) : recall.data !== undefined ? (
        <Estimate alert={alert} recall={recall.data} />
      ) : isWanted ? (
        <Loading rows={1} />
      ) : (
        <p className="text-sm text-muted">{words.explanation}</p>
      )}
    </Panel>
  );
}

function Estimate({ alert, recall }: { alert: Alert; recall: Schemas['RecallDto'] }) {
  const { found, missed, suggestions } = recall;
  return (
    <div className="text-sm">
      <p>
        {words.found(formatNumber(found))}{' '}
        {missed === null
          ? words.unknown
          : words.missed(formatNumber(missed.estimate), formatNumber(missed.low), formatNumber(missed.high))}
      </p>
      {suggestions.length === 0 ? (
        <p className="mt-2 text-muted">{words.noSuggestions}</p>
      ) : (
        <Suggestions alert={alert} suggestions={suggestions} />
      )}
    </div>
  );
}

/** The words that would find more; a click adds one to the query. */
function Suggestions({ alert, suggestions }: { alert: Alert; suggestions: readonly Suggestion[] }) {
  const { workspace_id, allows } = useSession();
  const client = useQueryClient();
  // A comment has no address without its post.
  const hasExamples = alert.of === 'posts';
  const add = useMutation({
    mutationFn: async (suggestion: Suggestion) => {
      await dataOf(
        api.PATCH('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', {
          params: { path: { workspace_id, alert_id: alert.id } },
          body: { query: queryWith(alert, suggestion) },
        }),
      );
      await client.invalidateQueries({ queryKey: keys.allAlerts() });
    },
  });
  return (
    <>
      <h3 className="mt-3 mb-1 text-[13px] text-muted">{words.words}</h3>
      <ul className="divide-y divide-line">
        {suggestions.map((suggestion) => (
          <li
            key={suggestion.add}
            className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-1.5"
          >
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className="font-medium">{suggestion.add}</span>{' '}
              <span className="text-muted">{words.gain(formatNumber(suggestion.gain))}</span>
            </span>
            <span className="flex flex-wrap items-center gap-x-3 text-[13px]">
              {hasExamples &&
                suggestion.examples.map((id, index) => (
                  <PostLink key={id} postId={id}>
                    {words.example(formatNumber(index + 1))}
                  </PostLink>
                ))}
              {allows('write') && (
                <Button
                  aria-label={words.addWord(suggestion.add)}
                  disabled={add.isPending}
                  onClick={() => add.mutate(suggestion)}
                >
                  {words.add}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {add.error && <ErrorNote error={add.error} />}
    </>
  );
}

/**
 * The query of an alert that also finds a suggested word. Keywords, one of which is enough for a match, stay keywords:
 * the query of the suggestion has them, too.
 */
export function queryWith(
  { query = null, keywords }: Pick<Alert, 'query' | 'keywords'>,
  suggestion: Pick<Suggestion, 'add' | 'query'>,
): string {
  if (keywords.length === 0) return suggestion.query;
  return query === null ? suggestion.add : `(${query}) OR ${suggestion.add}`;
}
