import { describeRecordings } from '../recordings/replay.js';
import { expectedWalks, walkAll, withoutRequests } from '../recordings/service-walk.js';

describeRecordings('scraping everything that was recorded, through the service', () => {
  it('stores the same when a third of all answers fail', async () => {
    const found = await walkAll([
      '--fail-rate',
      '0.3',
      '--faults',
      '429,500,503,truncate,reset,slow',
      '--slow-ms',
      '100',
      '--retry-after',
      '0',
    ]);
    expect(withoutRequests(found)).toEqual(expectedWalks());
  });

  it('stores the same when tokens end after every 50 requests', async () => {
    const found = await walkAll(['--expire-token-after', '50']);
    expect(withoutRequests(found)).toEqual(expectedWalks());
  });
});
