import type { ReceivedEvent } from './event-receiver.js';
import type { StoredJob, StoredState } from './load-state.js';
import type { RequestedJobs } from './load-traffic.js';

/** The state of one workspace and the events that its destinations received. */
export interface WorkspaceResult {
  name: string;
  state: StoredState;
  /** Events of its webhook and of its alert's channel. */
  toWebhook: ReadonlyMap<string, ReceivedEvent>;
  toAlert: ReadonlyMap<string, ReceivedEvent>;
}

/**
 * One sentence for each difference between workspaces under faults and the undisturbed `reference`, which executed each
 * job once. `requested` are the jobs that clients requested, over all workspaces except the reference.
 */
export function violationsOf(
  workspaces: readonly WorkspaceResult[],
  reference: WorkspaceResult,
  requested: RequestedJobs,
): string[] {
  const stored = new Set(workspaces.flatMap(({ state }) => state.jobs.map(({ id }) => id)));
  const missing = [...requested.accepted].filter((id) => !stored.has(id));
  return [
    ...missing.map((id) => `accepted job ${id} is not stored`),
    ...[...requested.refused].map((key) => `no API accepted the job with the Idempotency-Key ${key}`),
    ...workspaces.flatMap((workspace) =>
      [
        ...jobViolations(workspace.state, reference.state, requested.accepted),
        ...eventViolations(workspace),
        ...alertViolations(workspace, reference),
      ].map((violation) => `${workspace.name}: ${violation}`),
    ),
  ];
}

function jobViolations(
  { jobs, occurrenceJobs, posts, comments }: StoredState,
  reference: StoredState,
  accepted: ReadonlySet<string>,
): string[] {
  const expected = new Map(reference.jobs.map((job) => [job.target, job]));
  const scheduled = new Set(occurrenceJobs);
  const violations: string[] = [];
  for (const job of jobs) {
    if (!job.isScheduled && !accepted.has(job.id))
      violations.push(`job ${job.id} was stored twice for one request`);
    if (job.isScheduled && !scheduled.has(job.id)) violations.push(`job ${job.id} belongs to no occurrence`);
    violations.push(...jobDifferences(job, expected.get(job.target)));
  }
  const stored = new Set(jobs.map(({ id }) => id));
  for (const id of scheduled)
    if (!stored.has(id)) violations.push(`job ${id} of an occurrence is not stored`);
  if (scheduled.size < occurrenceJobs.length) violations.push('two occurrences name the same job');
  if (posts.digest !== reference.posts.digest)
    violations.push(`${posts.count} posts differ from the ${reference.posts.count} of the reference`);
  if (comments.digest !== reference.comments.digest)
    violations.push(
      `${comments.count} comments differ from the ${reference.comments.count} of the reference`,
    );
  return violations;
}

function jobDifferences(job: StoredJob, expected: StoredJob | undefined): string[] {
  if (job.status !== 'completed') return [`job ${job.id} is ${job.status} ${job.error}`];
  if (job.posts === expected?.posts && job.comments === expected.comments) return [];
  const counts = (one: StoredJob | undefined): string => `${one?.posts} posts, ${one?.comments} comments`;
  return [`job ${job.id} has ${counts(job)} instead of ${counts(expected)}`];
}

function eventViolations({ state, toWebhook, toAlert }: WorkspaceResult): string[] {
  const violations: string[] = [];
  const completions = new Map<string, number>();
  for (const { id, type, subjectId } of state.events) {
    if (type === 'job.completed') completions.set(subjectId, (completions.get(subjectId) ?? 0) + 1);
    if (!toWebhook.has(id)) violations.push(`${type} ${id} was not delivered to the webhook`);
    if (type === 'alert.triggered' && !toAlert.has(id))
      violations.push(`${type} ${id} was not delivered to the alert's channel`);
  }
  for (const job of state.jobs)
    if (job.status === 'completed' && completions.get(job.id) !== 1)
      violations.push(`job ${job.id} has ${completions.get(job.id) ?? 0} job.completed events`);
  const stored = new Set(state.events.map(({ id }) => id));
  for (const id of new Set([...toWebhook.keys(), ...toAlert.keys()]))
    if (!stored.has(id)) violations.push(`event ${id} was delivered and is not stored`);
  return violations;
}

/** Each matching post must be in exactly one event of the alert, however posts were batched. */
function alertViolations({ toAlert }: WorkspaceResult, reference: WorkspaceResult): string[] {
  const matched = (events: WorkspaceResult['toAlert']): string[] =>
    [...events.values()].flatMap(({ posts }) => posts).sort();
  const [found, expected] = [matched(toAlert), matched(reference.toAlert)];
  return found.join() === expected.join()
    ? []
    : [`the alert matched ${found.length} posts instead of ${expected.length}, or others`];
}
