import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { hasEnded, type Job } from '../../api/job-events.ts';
import { useSession } from '../../api/session.ts';
import { inputClass } from '../../components/controls.tsx';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { formatClock, formatExact, formatNumber } from '../../format.ts';
import { jobsTexts } from '../../texts/jobs.ts';
import { keys } from '../../api/keys.ts';
import { findEntries, groupEntries, isRetry, type LogEntry } from './log-groups.ts';

const words = jobsTexts.log;
const REFRESH_MS = 2_000;
/** Distance from the end at which the log still counts as followed. */
const NEAR_END_PX = 40;
/** Shorter logs are read at a glance. */
const SEARCHABLE = 10;

/** The log of a job in sentences; reloaded while it runs, and followed at its end unless the reader scrolled up. */
export function JobLog({ job }: { job: Job }) {
  const { workspace_id } = useSession();
  const log = useQuery({
    queryKey: keys.jobLog(workspace_id, job.id, hasEnded(job)),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/jobs/{job_id}/log', {
          params: { path: { workspace_id, job_id: job.id } },
        }),
      ),
    refetchInterval: hasEnded(job) ? false : REFRESH_MS,
    // The log of the same job stays in place while it is read for the last time.
    placeholderData: (before, query) => (query?.queryKey[2] === job.id ? before : undefined),
  });
  return (
    <Panel title={words.title}>
      <QueryView query={log} rows={1}>
        {({ entries, left_out }) =>
          entries.length === 0 ? (
            <p className="text-sm text-muted">{words.empty}</p>
          ) : (
            <>
              {left_out > 0 && (
                <p className="mb-2 text-[13px] text-muted">{words.leftOut(formatNumber(left_out))}</p>
              )}
              <SearchableEntries entries={entries} />
            </>
          )
        }
      </QueryView>
    </Panel>
  );
}

/** The entries of a log, all or those that contain a text; found ones are not collapsed. */
function SearchableEntries({ entries }: { entries: readonly LogEntry[] }) {
  const [text, setText] = useState('');
  const [onlyWarnings, setOnlyWarnings] = useState(false);
  const isSearch = text.trim() !== '' || onlyWarnings;
  const groups = useMemo(
    () =>
      isSearch ? findEntries(entries, text, onlyWarnings).map((entry) => [entry]) : groupEntries(entries),
    [entries, text, onlyWarnings, isSearch],
  );
  return (
    <>
      {(entries.length >= SEARCHABLE || isSearch) && (
        <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-[13px]">
          <input
            aria-label={words.find}
            placeholder={words.find}
            spellCheck={false}
            maxLength={200}
            className={`${inputClass} w-56!`}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={({ key }) => key === 'Escape' && setText('')}
          />
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={onlyWarnings}
              onChange={({ target }) => setOnlyWarnings(target.checked)}
            />
            {words.onlyWarnings}
          </label>
          <span role="status" className="text-muted tabular-nums">
            {isSearch &&
              (groups.length === 0
                ? words.noneFound
                : words.found(formatNumber(groups.length), formatNumber(entries.length)))}
          </span>
        </div>
      )}
      {groups.length > 0 && <Entries groups={groups} />}
    </>
  );
}

function Entries({ groups }: { groups: readonly LogEntry[][] }) {
  const list = useRef<HTMLOListElement>(null);
  const isFollowed = useRef(true);
  useLayoutEffect(() => {
    if (isFollowed.current) list.current!.scrollTop = list.current!.scrollHeight;
  }, [groups]);
  return (
    <ol
      ref={list}
      tabIndex={0}
      aria-label={words.title}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isFollowed.current = scrollHeight - clientHeight - scrollTop < NEAR_END_PX;
      }}
      className="max-h-96 space-y-0.5 overflow-y-auto text-[13px]"
    >
      {groups.map((group, index) => (
        <li key={`${group[0]!.at} ${index}`}>
          {group.length === 1 ? (
            <Line entry={group[0]!} message={group[0]!.message} />
          ) : (
            <details>
              <summary className="list-none">
                <Line entry={group[0]!} message={summaryOf(group)} isSummary />
              </summary>
              {group.map((entry, at) => (
                <Line key={at} entry={entry} message={entry.message} />
              ))}
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

/** What several entries have in common. */
function summaryOf(group: readonly LogEntry[]): string {
  const count = formatNumber(group.length);
  return isRetry(group[0]!) ? words.retries(count) : words.times(group[0]!.message, count);
}

function Line({
  entry: { at, level },
  message,
  isSummary = false,
}: {
  entry: LogEntry;
  message: string;
  isSummary?: boolean;
}) {
  const time = new Date(at);
  return (
    <span className="flex gap-3 [overflow-wrap:anywhere]">
      <time dateTime={at} title={formatExact(time)} className="shrink-0 text-muted tabular-nums">
        {formatClock(time)}
      </time>
      <span className={`w-16 shrink-0 font-medium ${level === 'warn' ? 'text-warn' : 'text-muted'}`}>
        {words.levels[level]}
      </span>
      <span className={isSummary ? 'underline decoration-dotted underline-offset-3' : ''}>{message}</span>
    </span>
  );
}
