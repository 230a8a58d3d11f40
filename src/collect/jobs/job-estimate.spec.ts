import { shownProgress } from './job-estimate.js';

const START = new Date('2026-11-27T10:00:00Z');
const after = (seconds: number): Date => new Date(START.getTime() + seconds * 1_000);
const running = {
  status: 'running' as const,
  startedAt: START,
  postsScraped: 50,
  postLimit: 100,
  scrapeComments: true,
  mediaDownloaded: 0,
  progress: { posts_new: 20, comments_pending: 10 },
};

describe('shownProgress', () => {
  it('shows nothing of a job that has not started', () => {
    expect(shownProgress({ ...running, status: 'pending', startedAt: null }, after(1))).toEqual({});
  });

  it('estimates the end from what is done: 90 of 200 posts and threads in 9 s', () => {
    expect(shownProgress(running, after(9))).toEqual({
      limit: 100,
      phase: 'listing',
      posts_updated: 30,
      threads: { done: 40, total: 50 },
      seconds_left: 15,
    });
  });

  it.each([
    [{ stop_reason: 'limit' as const, comments_pending: 10, media_pending: 3 }, 'comments'],
    [{ stop_reason: 'limit' as const, media_pending: 3 }, 'media'],
    [{ stop_reason: 'limit' as const }, 'finishing'],
  ])('names the phase of %j: %s', (progress, phase) => {
    expect(shownProgress({ ...running, progress }, after(9))).toMatchObject({ phase });
  });

  it('counts files that are done or failed, and no threads of a job without comments', () => {
    const progress = { media_pending: 3, media_failed: 1 };
    const shown = shownProgress(
      { ...running, scrapeComments: false, mediaDownloaded: 6, progress },
      after(9),
    );
    expect(shown).toMatchObject({ files: { done: 7, total: 10 } });
    expect(shown).not.toHaveProperty('threads');
  });

  it('cannot tell the end of a job that has just started or that waits', () => {
    expect(shownProgress(running, after(1))).toMatchObject({ seconds_left: null });
    const waiting_for = { reason: 'budget' as const, until: null, cause: 'Waiting' };
    const progress = { ...running.progress, waiting_for };
    expect(shownProgress({ ...running, progress }, after(9))).toMatchObject({ seconds_left: null });
  });

  it('shows the limit and what was new of an ended job', () => {
    expect(shownProgress({ ...running, status: 'completed' }, after(9))).toEqual({
      limit: 100,
      posts_updated: 30,
    });
  });
});
