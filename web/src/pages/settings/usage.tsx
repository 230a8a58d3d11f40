import { KINDS } from '../../api/kinds.ts';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { usageQuery } from '../../api/usage.ts';
import { Figures } from '../../components/facts.tsx';
import { Panel } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { formatBytes, formatNumber } from '../../format.ts';
import { settingsTexts } from '../../texts/settings.ts';

const words = settingsTexts.usage;
const REFRESH_MS = 15_000;
/** Share of a quota from which its bar shows a warning. */
const NEARLY_FULL = 0.9;

/** What the workspace stores and how much of its quotas it uses. */
export function Usage() {
  const { workspace_id } = useSession();
  const usage = useQuery({
    ...usageQuery(workspace_id),
    refetchInterval: REFRESH_MS,
  });
  if (usage.data === undefined)
    return (
      <Panel title={words.title}>
        {usage.error ? <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} /> : <Loading />}
      </Panel>
    );
  const { storage, quotas, requests_last_minute } = usage.data;
  const figures = [
    [words.posts, formatNumber(storage.posts)],
    [words.comments, formatNumber(storage.comments)],
    [words.media, formatBytes(storage.media_bytes)],
    [words.requests, formatNumber(requests_last_minute)],
  ] as const;
  return (
    <Panel title={words.title}>
      <Figures figures={figures} />
      <h3 className="mt-5 mb-2 text-sm font-semibold">{words.quotas}</h3>
      <ul className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {Object.entries(quotas).map(([name, quota]) => (
          <QuotaRow key={name} name={name} {...quota} />
        ))}
      </ul>
    </Panel>
  );
}

function QuotaRow({ name, limit, used }: { name: string; limit: number; used: number }) {
  const format = name.endsWith('_bytes') ? formatBytes : formatNumber;
  const label = KINDS.quotas.find((quota) => quota.name === name)?.title ?? name;
  return (
    <li className="text-sm">
      <div className="flex justify-between gap-3">
        <span>{label}</span>
        <span className="text-muted tabular-nums">
          {limit === 0 ? `${format(used)}, ${words.unlimited}` : words.of(format(used), format(limit))}
        </span>
      </div>
      {limit > 0 && (
        <div aria-hidden="true" className="mt-1 h-1.5 overflow-hidden rounded-full bg-raised">
          <div
            className={`h-full rounded-full ${used / limit >= NEARLY_FULL ? 'bg-bad' : 'bg-accent'}`}
            style={{ width: `${Math.min(100, (used / limit) * 100)}%` }}
          />
        </div>
      )}
    </li>
  );
}
