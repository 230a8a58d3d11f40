import { describeRecordings } from './replay.js';
import { expectWholeWalk, withReplay } from './reddit-walk.js';

describeRecordings('every target of the recordings, walked whole', () => {
  it('finds exactly the recorded ids with no more requests than needed', async () => {
    await withReplay([], (replay) => expectWholeWalk(replay, true));
  }, 120_000);
});
