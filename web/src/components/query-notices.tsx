import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api, dataOf } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import { KINDS } from '../api/kinds.ts';
import { useSession } from '../api/session.ts';
import { searchTexts } from '../texts/search.ts';
import { useDelayed } from '../timers.ts';

const TYPING_MS = 400;
/** Plain words have no notices. */
const MAY_HAVE_NOTICES = /[^\p{L}\p{N}\s]|(?:^|\s)(?:or|and|not)(?:\s|$)/iu;

/** What of a query is not searched as it was written, below its field. */
export function QueryNotices({ q, of }: { q: string; of: 'posts' | 'comments' }) {
  const { workspace_id } = useSession();
  const typed = useDelayed(q, TYPING_MS);
  const explanation = useQuery({
    queryKey: keys.queryExplanation(workspace_id, of, typed),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/search/explain', {
          params: { path: { workspace_id }, query: { q: typed, of } },
          signal,
        }),
      ),
    enabled: MAY_HAVE_NOTICES.test(typed),
    staleTime: Infinity,
  });
  const notices = (q === typed && explanation.data ? explanation.data.notices : []).filter(
    ({ message }) => message !== KINDS.formsNotice,
  );
  return (
    <div role="status" aria-label={searchTexts.notices}>
      {notices.length > 0 && (
        <ul className="mt-1.5 space-y-0.5 text-[13px] text-warn [overflow-wrap:anywhere]">
          {notices.map(({ position, length, message }) => (
            <li key={`${position} ${message}`}>
              <span className="font-mono">{typed.slice(position, position + length)}</span>:{' '}
              <CodeText text={message} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A text in which code stands between backticks. */
export function CodeText({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
    );
}

/** The table of the query language, folded until it is wanted. */
export function QueryHelp() {
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit text-muted">{searchTexts.help}</summary>
      <dl className="mt-2 grid w-fit max-w-full gap-x-5 gap-y-1 sm:grid-cols-[auto_1fr]">
        {KINDS.querySyntax.map(({ examples, meaning }) => (
          <div key={meaning + examples[0]} className="sm:contents">
            <dt className="font-mono text-[13px] sm:max-w-96">
              {examples.map((example) => (
                <span key={example} className="mr-3 inline-block">
                  {example}
                </span>
              ))}
            </dt>
            <dd className="text-muted max-sm:mb-1.5">
              <CodeText text={meaning} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
