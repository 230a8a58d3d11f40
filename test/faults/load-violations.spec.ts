import { isRight, recoverySeconds, type Sample } from './support/load-report.js';
import { violationsOf, type WorkspaceResult } from './support/load-violations.js';

const JOB = {
  id: 'job-1',
  target: 'forum',
  status: 'completed',
  error: '',
  posts: 2,
  comments: 3,
  isScheduled: false,
  seconds: 1,
};
const COMPLETED = { id: 'event-1', type: 'job.completed', subjectId: 'job-1' };
const TRIGGERED = { id: 'event-2', type: 'alert.triggered', subjectId: 'alert-1' };
const received = { type: '', times: 1, posts: [] };
const REQUESTED = { accepted: new Set(['job-1']), refused: new Set<string>() };

/** A workspace without violations, except for `changes`. */
function workspace(changes: Partial<WorkspaceResult['state']> = {}): WorkspaceResult {
  return {
    name: 'w',
    state: {
      jobs: [JOB],
      occurrenceJobs: [],
      events: [COMPLETED, TRIGGERED],
      posts: { count: 2, digest: 'p' },
      comments: { count: 3, digest: 'c' },
      ...changes,
    },
    toWebhook: new Map([
      ['event-1', received],
      ['event-2', received],
    ]),
    toAlert: new Map([['event-2', { ...received, posts: ['t3_1'] }]]),
  };
}

describe('violationsOf', () => {
  const found = (result: WorkspaceResult): string[] => violationsOf([result], workspace(), REQUESTED);

  it('finds none where nothing is lost or duplicated', () => {
    expect(found(workspace())).toEqual([]);
  });

  it.each<[string, WorkspaceResult]>([
    ['accepted job job-1 is not stored', workspace({ jobs: [], events: [TRIGGERED] })],
    ['job job-2 was stored twice for one request', workspace({ jobs: [JOB, { ...JOB, id: 'job-2' }] })],
    ['job job-1 is running', workspace({ jobs: [{ ...JOB, status: 'running' }] })],
    [
      'job job-1 has 1 posts, 3 comments instead of 2 posts, 3 comments',
      workspace({ jobs: [{ ...JOB, posts: 1 }] }),
    ],
    ['1 posts differ', workspace({ posts: { count: 1, digest: 'other' } })],
    ['2 comments differ', workspace({ comments: { count: 2, digest: 'other' } })],
    ['job job-1 has 0 job.completed events', workspace({ events: [TRIGGERED] })],
    [
      'job job-1 has 2 job.completed events',
      workspace({ events: [COMPLETED, { ...COMPLETED, id: 'event-3' }, TRIGGERED] }),
    ],
    ['job job-9 of an occurrence is not stored', workspace({ occurrenceJobs: ['job-9'] })],
    [
      'job.completed event-1 was not delivered to the webhook',
      { ...workspace(), toWebhook: new Map([['event-2', received]]) },
    ],
    [
      "alert.triggered event-2 was not delivered to the alert's channel",
      { ...workspace(), toAlert: new Map() },
    ],
    [
      'event event-9 was delivered and is not stored',
      { ...workspace(), toWebhook: new Map([...workspace().toWebhook, ['event-9', received]]) },
    ],
    [
      'the alert matched 2 posts instead of 1',
      { ...workspace(), toAlert: new Map([['event-2', { ...received, posts: ['t3_1', 't3_1'] }]]) },
    ],
  ])('finds: %s', (violation, result) => {
    expect(found(result).join('\n')).toContain(violation);
  });
});

describe('answers during faults', () => {
  const at = (seconds: number, status: number): Sample => ({
    kind: 'list',
    at: seconds * 1_000,
    ms: 10,
    status,
  });
  const fault = { name: 'kill api', startedAt: 10_000, overAt: 10_000 };

  it('recover with the last response that was not good', () => {
    expect(recoverySeconds([fault], [at(9, 503), at(11, 503), at(12.5, 503), at(13, 200)], 20_000)).toEqual([
      2.5,
    ]);
  });

  it('have not recovered without a good answer until the next fault', () => {
    expect(recoverySeconds([fault], [at(11, 200), at(19, 503), at(21, 200)], 20_000)).toEqual([null]);
  });

  it('are right when they succeed or refuse for a time', () => {
    expect([200, 201, 429, 503, 500, 404, 0].map((status) => isRight(at(1, status)))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
