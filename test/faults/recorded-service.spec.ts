import { describeRecordings, recordedWalks } from '../recordings/replay.js';
import { expectedWalks, walkAll, withoutRequests } from '../recordings/service-walk.js';

describeRecordings('scraping everything that was recorded, through the service', () => {
  it('stores exactly what a complete walk finds, with the minimum of requests', async () => {
    const found = await walkAll([]);
    expect(withoutRequests(found)).toEqual(expectedWalks());
    const wasteful = recordedWalks().filter((walk) => {
      const requests = found.find((one) => one.target === walk.target)?.requests ?? Infinity;
      return requests > Math.max(walk.frugal_requests, Math.floor(walk.frugal_requests * 1.02));
    });
    expect(wasteful).toEqual([]);
  });
});
