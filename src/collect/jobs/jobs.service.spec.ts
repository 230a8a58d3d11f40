import { newJob } from './jobs.service.js';

const NOW = new Date('2026-06-30T12:00:00Z');

describe('newJob', () => {
  const contentOf = (request: Partial<Parameters<typeof newJob>[1]>) => {
    const job = newJob('w', { target: 'technology', mode: 'full', ...request }, NOW);
    return [job.downloadMedia, job.scrapeComments];
  };

  it('skips comments and media in mode history, unless requested', () => {
    expect(contentOf({})).toEqual([true, true]);
    expect(contentOf({ mode: 'monitor' })).toEqual([true, true]);
    expect(contentOf({ mode: 'history' })).toEqual([false, false]);
    expect(contentOf({ mode: 'history', scrape_comments: true })).toEqual([false, true]);
    expect(contentOf({ download_media: false })).toEqual([false, true]);
  });

  it('is pending and scrapes 100 posts of a forum by default', () => {
    expect(newJob('w', { target: 'technology', mode: 'full' }, NOW)).toMatchObject({
      workspaceId: 'w',
      targetType: 'forum',
      postLimit: 100,
      plugins: [],
      scheduleId: null,
      status: 'pending',
      createdAt: NOW,
    });
  });
});
