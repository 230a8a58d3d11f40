import { Card } from '../../components/card.tsx';
import { KINDS } from '../../api/kinds.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { FileParts } from '../../components/file-parts.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { StatusDot, type Tone } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { deleteLater } from '../../components/undo.ts';
import { formatBytes, formatNumber } from '../../format.ts';
import { exportsTexts } from '../../texts/exports.ts';
import { searchTexts } from '../../texts/search.ts';
import { filterTexts } from '../search/filter-names.ts';
import { searchOf } from '../search/search-record.ts';
import { type Export, exportsQuery, isUnfinished, type RecurringExport } from './exports.ts';

const words = exportsTexts;
/** The tones of states. */
export const TONES: Record<Export['status'], Tone> = {
  pending: 'warn',
  running: 'accent',
  completed: 'good',
  cancelled: 'muted',
  failed: 'bad',
};

/** The kind, format and compression of an export. */
const contentOf = ({ of, format, compression }: Export | RecurringExport): string =>
  [
    searchTexts.of[of],
    KINDS.formats.find(({ name }) => name === format)?.title ?? format,
    ...(compression === null ? [] : [words.compressions[compression]]),
  ].join(' · ');

/** The name of an export, its content, filters, columns and destination. */
export function ExportChoices({ record }: { record: Export | RecurringExport }) {
  const filters = filterTexts(record.filters);
  return (
    <>
      <h2 className="font-semibold">{record.name ?? contentOf(record)}</h2>
      <p className="mt-1 text-sm">
        {record.name !== null && `${contentOf(record)} · `}
        {filters.length === 0 ? words.noFilters : filters.join(' · ')}{' '}
        <Link
          to="/search"
          search={searchOf(record)}
          className="whitespace-nowrap text-accent underline sm:ml-2"
        >
          {words.toSearch}
        </Link>
      </p>
      {record.columns !== null && (
        <p className="mt-1 text-[13px] text-muted">{words.onlyColumns(record.columns.join(', '))}</p>
      )}
      {record.destination !== null && (
        <p className="mt-1 text-[13px] text-muted">{words.destination.to(record.destination.url)}</p>
      )}
    </>
  );
}

/** An export with its progress and its files. */
export function ExportCard({ record }: { record: Export }) {
  return (
    <Card as="li" className="p-4 [overflow-wrap:anywhere]">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <ExportChoices record={record} />
          <ExportFacts record={record} />
          {record.error_message !== null && <p className="mt-1 text-sm text-bad">{record.error_message}</p>}
        </div>
        {useSession().allows('write') && <RemoveExport record={record} />}
      </div>
      <FileParts parts={record.parts} />
    </Card>
  );
}

function ExportFacts({ record }: { record: Export }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
      <StatusDot tone={TONES[record.status]} isMoving={record.status === 'running'}>
        {words.statuses[record.status]}
      </StatusDot>
      <span className="tabular-nums" role={isUnfinished(record) ? 'status' : undefined}>
        {words.rows(formatNumber(record.rows))}, {formatBytes(record.bytes)}
      </span>
      <span>
        {words.created} <Time at={record.created_at} />
      </span>
      {record.incremental_from !== null && <span>{words.incremental}</span>}
      {record.recurring_id !== null && <span>{words.recurring.run}</span>}
      {record.expires_at !== null && (
        <span>
          {words.expires} <Time at={record.expires_at} due={words.isDue} />
        </span>
      )}
    </p>
  );
}

/** Deletes an export, which can be taken back, or cancels an unfinished one after a question. */
function RemoveExport({ record }: { record: Export }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const [cancelling, setCancelling] = useState(false);
  const remove = async (): Promise<void> => {
    await dataOf(
      api.DELETE('/api/v1/workspaces/{workspace_id}/exports/{export_id}', {
        params: { path: { workspace_id, export_id: record.id } },
        keepalive: true,
      }),
    );
    await client.invalidateQueries(exportsQuery(workspace_id));
  };
  const later = (): void => deleteLater({ ids: [record.id], text: words.deleted, run: remove });
  const unfinished = isUnfinished(record);
  return (
    <>
      <Button look="danger" onClick={() => (unfinished ? setCancelling(true) : later())}>
        {unfinished ? words.cancel : words.delete}
      </Button>
      {cancelling && <Confirm {...words.cancelling} run={remove} onClose={() => setCancelling(false)} />}
    </>
  );
}
