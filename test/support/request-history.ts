import { groupBy } from '../../src/common/collections.js';

/** What an answer showed; `list` and `key` are names that the tests choose. */
export type Fact =
  | { kind: 'write' | 'deletion'; list: string; key: string }
  | { kind: 'read'; list: string; key: string; isFound: boolean }
  | { kind: 'total'; list: string; total: number };

/** A fact, the client that was answered, and when its request was sent and answered, from `performance.now()`. */
export type Observation = Fact & { client: string; began: number; ended: number };

/** The ids that a stream sent, in order, and those of the rows that were stored since it began. */
export interface StreamedRows {
  name: string;
  sent: readonly string[];
  stored: readonly string[];
}

/** The answers to concurrent requests, for {@link historyViolations}. */
export class RequestHistory {
  readonly observations: Observation[] = [];

  /** Sends a request and keeps the fact that its answer shows, if it shows one. */
  async observe<T>(client: string, send: () => Promise<T>, factOf: (answer: T) => Fact | null): Promise<T> {
    const began = performance.now();
    const answer = await send();
    const fact = factOf(answer);
    if (fact !== null) this.observations.push({ ...fact, client, began, ended: performance.now() });
    return answer;
  }
}

/**
 * One sentence for each answer that contradicts an earlier one: a total is lower than one that was read before, by more
 * than the deletions since; a client does not find its own write. Requests that overlap may have any order.
 */
export function historyViolations(observations: readonly Observation[]): string[] {
  const byList = groupBy(observations, ({ list }) => list);
  return [...byList.values()].flatMap((ofList) => [...fallenTotals(ofList), ...lostWrites(ofList)]);
}

/** One sentence for each row that a stream sent twice, did not send, or sent though it is not stored. */
export function streamViolations({ name, sent, stored }: StreamedRows): string[] {
  const [once, rows] = [new Set(sent), new Set(stored)];
  const twice = sent.filter((id, index) => sent.indexOf(id) < index);
  return [
    ...twice.map((id) => `${name}: ${id} was sent again`),
    ...[...rows].filter((id) => !once.has(id)).map((id) => `${name}: ${id} is stored and was not sent`),
    ...[...once].filter((id) => !rows.has(id)).map((id) => `${name}: ${id} was sent and is not stored`),
  ];
}

const isKind =
  <K extends Fact['kind']>(kind: K) =>
  (one: Observation): one is Observation & { kind: K } =>
    one.kind === kind;

function fallenTotals(ofList: readonly Observation[]): string[] {
  const totals = ofList.filter(isKind('total'));
  const deletions = ofList.filter(isKind('deletion'));
  return totals.flatMap((later) => {
    const earlier = totals.find(
      (one) =>
        one.ended < later.began &&
        one.total - later.total >
          deletions.filter(({ began, ended }) => ended > one.began && began < later.ended).length,
    );
    return earlier ? [`${later.list}: the total went from ${earlier.total} back to ${later.total}`] : [];
  });
}

function lostWrites(ofList: readonly Observation[]): string[] {
  const writes = ofList.filter(isKind('write'));
  const deletions = ofList.filter(isKind('deletion'));
  return ofList.filter(isKind('read')).flatMap((read) => {
    const isOwn = writes.some(
      ({ client, key, ended }) => client === read.client && key === read.key && ended < read.began,
    );
    const mayBeGone = deletions.some(({ key, began }) => key === read.key && began < read.ended);
    return isOwn && !read.isFound && !mayBeGone
      ? [`${read.list}: ${read.client} does not find its ${read.key}`]
      : [];
  });
}
