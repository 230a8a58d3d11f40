import { expectWholeWalk, withReplay } from '../recordings/reddit-walk.js';
import { describeRecordings } from '../recordings/replay.js';

describeRecordings('a complete walk of every recorded target', () => {
  it('finds exactly the recorded ids with no more requests than needed', async () => {
    await withReplay([], (replay) => expectWholeWalk(replay, true));
  });

  it('finds the same while three in ten requests fail', async () => {
    const faults = ['--fail-rate', '0.3', '--faults', '429,500,503,truncate,reset,slow', '--slow-ms', '200'];
    await withReplay(faults, async (replay) => {
      await expectWholeWalk(replay, false);
      const { faults: seen } = await replay.stats();
      expect(Object.keys(seen).sort()).toEqual(['429', '500', '503', 'reset', 'slow', 'truncate']);
    });
  });

  it('finds the same while three in ten requests are answered with a block page', async () => {
    await withReplay(['--fail-rate', '0.3', '--faults', 'html'], (replay) => expectWholeWalk(replay, false));
  });

  it('finds the same when a token ends after every 50 requests', async () => {
    await withReplay(['--expire-token-after', '50'], async (replay) => {
      await expectWholeWalk(replay, false);
      expect((await replay.stats()).tokens_issued).toBeGreaterThan(20);
    });
  });
});
