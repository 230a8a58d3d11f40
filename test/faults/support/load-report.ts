/** The outcome of one request of a client. */
export interface Sample {
  kind: string;
  /** When the request was sent, from `performance.now()`. */
  at: number;
  ms: number;
  /** 0 without a response. */
  status: number;
  /** Code of the problem document. */
  code?: string;
}

/** A fault as it was caused. Times are from `performance.now()`. */
export interface CausedFault {
  name: string;
  startedAt: number;
  /** End of a silence; for a kill or a stop, its moment. */
  overAt: number;
}

/** Maximum time of a good request, after which a client would have given up. */
const GOOD_MS = 5_000;

/** Whether a request succeeded in time, which is more than {@link isRight} requires. */
export function isGood({ status, ms }: Sample): boolean {
  return status >= 200 && status < 300 && ms <= GOOD_MS;
}

/**
 * Whether a response is correct during faults: a success, or a temporary refusal. A repeat under the same idempotency
 * key may also find its first request still being processed.
 */
export function isRight({ status, code, kind }: Sample): boolean {
  if ((status >= 200 && status < 300) || status === 429 || status === 503) return true;
  return kind.startsWith('create job') && code === 'idempotency_conflict';
}

/**
 * For each fault, the seconds from its end until every later request of every kind was good, up to the next fault; 0
 * when all were. Null when requests of some kind were not good before the next fault, or none were sent.
 */
export function recoverySeconds(
  faults: readonly CausedFault[],
  samples: readonly Sample[],
  endAt: number,
): (number | null)[] {
  const kinds = [...new Set(samples.map(({ kind }) => kind))].filter((kind) => !kind.endsWith('again'));
  return faults.map(({ overAt }, index) => {
    const nextAt = faults[index + 1]?.startedAt ?? endAt;
    const within = samples.filter(({ at }) => at >= overAt && at < nextAt);
    const lastBad = Math.max(overAt, ...within.filter((sample) => !isGood(sample)).map(({ at }) => at));
    const hasRecovered = kinds.every((kind) =>
      within.some((sample) => sample.kind === kind && sample.at >= lastBad && isGood(sample)),
    );
    return hasRecovered ? Math.ceil((lastBad - overAt) / 100) / 10 : null;
  });
}

/** Numbers of responses by kind and status, with the code of the problem document. */
export function answersByStatus(samples: readonly Sample[]): Record<string, Record<string, number>> {
  const answers: Record<string, Record<string, number>> = {};
  for (const { kind, status, code } of samples) {
    const outcome = code === undefined ? String(status) : `${status} ${code}`;
    const counts = (answers[kind] ??= {});
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return answers;
}
