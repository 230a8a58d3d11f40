import type { PlatformErrorCode } from '../../platforms/platform.js';
import type { JobProgress, WaitReason } from './dto/job-progress.dto.js';
import { remedyOf } from './job-remedy.js';

const waitingFor = (reason: WaitReason): JobProgress => ({
  waiting_for: { reason, until: null, cause: 'a cause' },
});

describe('remedyOf', () => {
  it.each<[PlatformErrorCode | 'internal_error', RegExp]>([
    ['target_not_found', /spelling of target/],
    ['target_private', /another target/],
    ['target_banned', /another target/],
    ['target_quarantined', /another target/],
    ['target_gated', /another target/],
    ['target_forbidden', /another target/],
    ['credentials_refused', /PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET/],
    ['blocked', /PLATFORM_USER_AGENT/],
    ['rate_limited', /Repeat the job later/],
    ['unavailable', /Repeat the job later/],
    ['bad_answer', /Repeat the job later/],
    ['internal_error', /log of the workers/],
  ])('advises about the error %s, even if files failed', (errorCode, remedy) =>
    expect(
      remedyOf({ status: 'failed', errorCode, target: 'technology' }, { media_failed_reason: 'gone' }),
    ).toMatch(remedy),
  );

  it.each<[string, JobProgress, RegExp]>([
    ['the request budget', waitingFor('budget'), /PLATFORM_REQUESTS_PER_MINUTE/],
    ['a retry', waitingFor('retry'), /retried automatically/],
    ['a worker', waitingFor('worker'), /ROLES=worker/],
    ['failing claims', waitingFor('claims'), /npm run doctor/],
    ['its turn', waitingFor('turn'), /starts automatically/],
    ['its last files', { media_until: '2026-01-01T00:00:00Z', media_failed_reason: 'gone' }, /media_until/],
    ['nothing, after files failed', { media_failed_reason: 'gone' }, /Fix the cause/],
  ])('advises about a job that waits for %s', (_, progress, remedy) =>
    expect(remedyOf({ status: 'running', errorCode: null, target: 'technology' }, progress)).toMatch(remedy),
  );

  it.each<[string, JobProgress, RegExp]>([
    ['blocked', {}, /HACKERNEWS_API_URL/],
    ['credentials_refused', {}, /log of the workers/],
  ])('advises about the error %s of another source', (errorCode, progress, remedy) =>
    expect(remedyOf({ status: 'failed', errorCode, target: 'hn:top' }, progress)).toMatch(remedy),
  );

  it('names the variable of the source whose budget is waited for', () => {
    const job = { status: 'running', errorCode: null, target: 'hn:top' } as const;
    expect(remedyOf(job, waitingFor('budget'))).toMatch(/HACKERNEWS_REQUESTS_PER_HOUR/);
  });

  it('advises about a cancelled job, and about no other job without a problem', () => {
    const remedies = (['pending', 'running', 'completed', 'cancelled'] as const).map((status) =>
      remedyOf({ status, errorCode: null, target: 'technology' }, {}),
    );
    expect(remedies).toEqual([null, null, null, expect.stringContaining('/jobs/{job_id}/repeat')]);
  });
});
