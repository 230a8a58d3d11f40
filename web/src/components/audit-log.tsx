import type { UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEntry } from '../api/audit.ts';
import type { Schemas } from '../api/client.ts';
import { KINDS } from '../api/kinds.ts';
import { anyOr } from '../choices.ts';
import { fieldName } from '../field-labels.ts';
import { adminTexts } from '../texts/admin.ts';
import { historyTexts } from '../texts/history.ts';
import type { AuditState } from './audit-state.ts';
import { Card } from './card.tsx';
import { Button, SelectField, TextField } from './controls.tsx';
import { LoadMore, QueryView } from './query-view.tsx';
import { Empty } from './states.tsx';
import { Time } from './time.tsx';
import { useFollowed } from './use-followed.ts';

const words = adminTexts.audit;

/** Every change in words, below filters that follow the address; `placeOf` says where a change was made. */
export function AuditLog({
  state,
  log,
  onChange,
  placeOf,
}: {
  state: AuditState;
  log: UseInfiniteQueryResult<InfiniteData<Schemas['AuditPageDto']>>;
  onChange: (state: AuditState) => void;
  placeOf?: (entry: AuditEntry) => ReactNode;
}) {
  return (
    <>
      <AuditFilters state={state} change={(changes) => onChange({ ...state, ...changes })} />
      <QueryView query={log}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          return entries.length === 0 ? (
            <Empty title={Object.keys(state).length === 0 ? words.empty : words.none} />
          ) : (
            <Card as="ul" className="divide-y divide-line px-4">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} place={placeOf?.(entry)} />
              ))}
            </Card>
          );
        }}
      </QueryView>
      <LoadMore query={log} />
    </>
  );
}

function AuditFilters({ state, change }: { state: AuditState; change: (changes: AuditState) => void }) {
  const [q, setQ] = useFollowed(state.q ?? '');
  return (
    <form
      role="search"
      className="mb-4 grid grid-cols-2 items-end gap-2 lg:grid-cols-[1fr_auto_auto_11rem_15rem_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        change({ q: q.trim() || undefined });
      }}
    >
      <div className="col-span-2 lg:col-span-1">
        <TextField
          label={historyTexts.search}
          type="search"
          placeholder={historyTexts.searchHint}
          maxLength={200}
          value={q}
          onChange={setQ}
        />
      </div>
      {(['from', 'to'] as const).map((name) => (
        <TextField
          key={name}
          label={historyTexts[name]}
          type="date"
          value={state[name] ?? ''}
          onChange={(day) => change({ [name]: day || undefined })}
        />
      ))}
      <SelectField
        label={words.byActor}
        value={state.actor ?? ''}
        onChange={(actor) => change({ actor: actor || undefined })}
        options={anyOr(words.anyActor, KINDS.lists.auditActors, words.actors)}
      />
      <SelectField
        label={words.byAction}
        value={state.action ?? ''}
        onChange={(action) => change({ action: action || undefined })}
        options={[
          ['', words.anyAction],
          ...(state.action === undefined || state.action in words.actions
            ? []
            : [[state.action, words.otherAction] as const]),
          ...Object.entries(words.actions).toSorted(([, one], [, other]) => one.localeCompare(other)),
        ]}
      />
      <Button type="submit">{historyTexts.find}</Button>
    </form>
  );
}

function Entry({ entry, place }: { entry: AuditEntry; place: ReactNode }) {
  const hasFailed = entry.status === null || entry.status >= 400 || entry.status === 1;
  const changed = new Set(entry.changes.map(({ field }) => field.split('.')[0]));
  const others = entry.fields.filter((field) => !changed.has(field));
  return (
    <li className="py-2.5 text-sm [overflow-wrap:anywhere]">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium" title={entry.action}>
          {words.actions[entry.action] ?? words.otherAction}
        </span>
        {entry.record_name !== null && <RecordName entry={entry} name={entry.record_name} />}
        {place}
        {hasFailed && (
          <span className="text-bad">
            {entry.status === null ? words.unknownEnd : words.status(entry.status)}
          </span>
        )}
      </p>
      {entry.changes.map(({ field, before, after }) => (
        <p key={field} className="line-clamp-4 text-[13px]">
          {historyTexts.change(fieldName(field.split('.').at(-1)!), valueText(before), valueText(after))}
        </p>
      ))}
      {others.length > 0 && <p className="text-[13px]">{words.changed(others.map(fieldName).join(', '))}</p>}
      <p className="flex flex-wrap gap-x-3 text-[13px] text-muted">
        <Time at={entry.created_at} />
        <Actor entry={entry} />
        {entry.ip !== null && <span>{entry.ip}</span>}
        {entry.record_name === null && <Ids entry={entry} />}
      </p>
    </li>
  );
}

const valueText = (value: string | null): string =>
  value === null || value === '' ? historyTexts.nothing : (historyTexts.states[value] ?? `“${value}”`);

const idsOf = ({ resource, workspace_id }: AuditEntry): string[] =>
  [...new Set(Object.values(resource))].filter((id) => id !== workspace_id);

function Ids({ entry }: { entry: AuditEntry }) {
  return idsOf(entry).map((id) => (
    <span key={id} className="font-mono">
      {id}
    </span>
  ));
}

/** The page of a record, by the beginning of its id; without one for other kinds. */
function pageOf(id: string): LinkProps | null {
  if (id.startsWith('alert_')) return { to: '/alerts/$alertId', params: { alertId: id } };
  if (id.startsWith('wh_')) return { to: '/webhooks/$webhookId', params: { webhookId: id } };
  if (id.startsWith('job_')) return { to: '/jobs/$jobId', params: { jobId: id } };
  if (id.startsWith('report_')) return { to: '/reports/$reportId', params: { reportId: id } };
  return null;
}

/** The name of a record, which leads to its page as long as it has one. */
function RecordName({ entry, name }: { entry: AuditEntry; name: string }) {
  const id = idsOf(entry)[0] ?? '';
  const page = /^delete/.test(entry.action) ? null : pageOf(id);
  return page === null ? (
    <span title={id}>{name}</span>
  ) : (
    <Link {...page} title={id} className="text-accent">
      {name}
    </Link>
  );
}

/** Who did it: an account by its address, a key by its name. */
function Actor({ entry: { actor, actor_name, key_name } }: { entry: AuditEntry }) {
  const kind = (actor_name?.includes('@') && words.accounts[actor]) || words.actors[actor];
  return (
    <span title={actor_name ?? undefined}>
      {kind} {key_name ?? actor_name}
    </span>
  );
}
