import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { KINDS } from '../api/kinds.ts';
import { anyOr, choices } from '../choices.ts';
import { api, dataOf, type Schemas } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { formatDuration, formatNumber } from '../format.ts';
import { deliveriesTexts } from '../texts/deliveries.ts';
import { Button, inputClass, Select } from './controls.tsx';
import { reasonOf } from './delivery-health.ts';
import { type Destination, readDeliveries, redeliver, replayFailed } from './delivery-requests.ts';
import { CopyButton } from './copy-button.tsx';
import { LoadMore, QueryView } from './query-view.tsx';
import { Empty, ErrorNote } from './states.tsx';
import { StatusDot, type Tone } from './status-dot.tsx';
import { Time } from './time.tsx';
import { keys } from '../api/keys.ts';

type Delivery = Schemas['DeliveryDto'];
type Status = Delivery['status'];

const words = deliveriesTexts;
const PAGE = 25;
/** How often the list is reloaded while it has an unfinished delivery. */
const REFRESH_MS = 2_000;
const TONES: Record<Status, Tone> = {
  pending: 'accent',
  delivered: 'good',
  failed: 'bad',
  undeliverable: 'warn',
};

/** The deliveries of a destination, newest first; each expands to its attempts and its payload. */
export function Deliveries({ destination }: { destination: Destination }) {
  const { workspace_id, allows } = useSession();
  const [status, setStatus] = useState<Status | ''>('');
  const list = useInfiniteQuery({
    queryKey: keys.deliveryList(destination, status),
    queryFn: ({ pageParam, signal }) =>
      readDeliveries(
        workspace_id,
        destination,
        { limit: PAGE, offset: pageParam, ...(status !== '' && { status }) },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : null),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.deliveries.some((one) => one.status === 'pending'))
        ? REFRESH_MS
        : false,
  });
  return (
    <>
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <Select
          className={`${inputClass} w-48!`}
          aria-label={words.filter}
          value={status}
          onChange={setStatus}
          options={anyOr(words.all, KINDS.lists.deliveryStatuses, words.statuses)}
        />
        {allows('write') && <ReplayFailed destination={destination} />}
      </div>
      <QueryView query={list}>
        {({ pages }) => {
          const deliveries = pages.flatMap((page) => page.deliveries);
          return deliveries.length === 0 ? (
            <Empty title={status === '' ? words.empty : words.noneFound} hint={words.emptyHint} />
          ) : (
            <ul className="divide-y divide-line border-y border-line">
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} destination={destination} />
              ))}
            </ul>
          );
        }}
      </QueryView>
      <LoadMore query={list} />
    </>
  );
}

function DeliveryRow({ delivery, destination }: { delivery: Delivery; destination: Destination }) {
  const [open, setOpen] = useState(false);
  return (
    <li className="py-2.5 text-sm [overflow-wrap:anywhere]">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
          {delivery.status === 'pending' && delivery.error !== null ? (
            <StatusDot tone="warn" isMoving>
              {words.retrying}
            </StatusDot>
          ) : (
            <StatusDot tone={TONES[delivery.status]} isMoving={delivery.status === 'pending'}>
              {words.statuses[delivery.status]}
            </StatusDot>
          )}
          <span>{words.events[delivery.event_type]}</span>
          <span className="text-muted">
            <Time at={delivery.created_at} />
          </span>
          {delivery.response_code !== null && delivery.error === null && (
            <span className="text-muted">{words.answer(delivery.response_code)}</span>
          )}
          {delivery.next_attempt_at !== null && (
            <span className="text-muted">
              {words.nextAttempt} <Time at={delivery.next_attempt_at} due={words.isDue} />
            </span>
          )}
        </div>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {words.details}
        </Button>
      </div>
      {delivery.status !== 'delivered' && delivery.error !== null && (
        <p className="mt-1 text-bad">{reasonOf(delivery.error)}</p>
      )}
      {open && <DeliveryDetails delivery={delivery} destination={destination} />}
    </li>
  );
}

const DAY_MS = 86_400_000;
const REPLAY_DAYS = ['1', '7', '30'] as const;

/** Sends again everything that failed within a period, at most 500 deliveries. */
function ReplayFailed({ destination }: { destination: Destination }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const [days, setDays] = useState<(typeof REPLAY_DAYS)[number]>('1');
  const replay = useMutation({
    mutationFn: () => replayFailed(workspace_id, destination, Date.now() - Number(days) * DAY_MS),
    onSettled: () => client.invalidateQueries({ queryKey: keys.deliveries(destination) }),
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        className={`${inputClass} w-44!`}
        aria-label={words.replaySince}
        value={days}
        onChange={setDays}
        options={choices(REPLAY_DAYS, words.replayPeriods)}
      />
      <Button disabled={replay.isPending} onClick={() => replay.mutate()}>
        {words.replayFailed}
      </Button>
      <span role="status" className="text-[13px] text-muted">
        {replay.data !== undefined && words.replayed(formatNumber(replay.data))}
      </span>
      {replay.error && <ErrorNote error={replay.error} />}
    </div>
  );
}

function DeliveryDetails({ delivery, destination }: { delivery: Delivery; destination: Destination }) {
  const session = useSession();
  const client = useQueryClient();
  const { kind, id } = destination;
  const path = { workspace_id: session.workspace_id, delivery_id: delivery.id };
  const history = useQuery({
    queryKey: keys.delivery(destination, delivery),
    queryFn: () =>
      kind === 'webhook'
        ? dataOf(
            api.GET('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}/deliveries/{delivery_id}', {
              params: { path: { ...path, webhook_id: id } },
            }),
          )
        : dataOf(
            api.GET('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}/deliveries/{delivery_id}', {
              params: { path: { ...path, alert_id: id } },
            }),
          ),
  });
  const replay = useMutation({
    mutationFn: () => redeliver(session.workspace_id, destination, delivery.id),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.deliveries(destination) }),
  });
  return (
    <div className="mt-3 space-y-4 rounded-xl bg-raised p-4">
      <QueryView query={history} rows={1}>
        {({ history: attempts, payload }) => (
          <>
            <Attempts attempts={attempts} />
            <Payload payload={payload} />
            {kind === 'webhook' && (
              <section>
                <h3 className="mb-1 font-semibold">{words.signature}</h3>
                <p className="text-muted">{words.signatureText(delivery.id)}</p>
              </section>
            )}
          </>
        )}
      </QueryView>
      {replay.error && <ErrorNote error={replay.error} />}
      {session.allows('write') && (
        <Button disabled={replay.isPending || delivery.status === 'pending'} onClick={() => replay.mutate()}>
          {words.replay}
        </Button>
      )}
    </div>
  );
}

function Attempts({ attempts }: { attempts: Schemas['DeliveryAttemptDto'][] }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">{words.attempts}</h3>
      {attempts.length === 0 && <p className="text-muted">{words.noAttempts}</p>}
      <ol className="space-y-1">
        {attempts.map((attempt) => (
          <li key={attempt.attempt} className="flex flex-wrap gap-x-3">
            <span className={attempt.succeeded ? 'text-good' : 'text-bad'}>
              {attempt.attempt}. {attempt.succeeded ? words.succeeded : words.failed}
            </span>
            <Time at={attempt.attempted_at} />
            {attempt.response_code !== null && <span>{words.answer(attempt.response_code)}</span>}
            <span className="text-muted">{formatDuration(attempt.duration_ms / 1_000)}</span>
            {attempt.error !== null && <span className="text-muted">{reasonOf(attempt.error)}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Payload({ payload }: { payload: unknown }) {
  const body = JSON.stringify(payload, null, 2);
  return (
    <section>
      <div className="mb-1 flex items-center justify-between gap-3">
        <h3 className="font-semibold">{words.payload}</h3>
        <CopyButton text={body} />
      </div>
      <pre
        tabIndex={0}
        aria-label={words.payload}
        className="max-h-80 overflow-auto rounded-lg border border-line bg-surface p-3 font-mono text-[13px] whitespace-pre-wrap"
      >
        {body}
      </pre>
    </section>
  );
}
