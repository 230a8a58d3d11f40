import { ErasedDatasets } from '../../src/takeout/datasets/erased-datasets.js';
import { ErasedRows } from '../../src/privacy/erasures/erased-rows.js';
import { Traces } from '../../src/tenants/ports/traces.js';
import { MediaStore } from '../../src/content/media/media-store.js';

/** A scheduler of a test that kills itself at a moment of an erasure. */
const [moment] = process.argv.slice(2);
const killHere = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
};

const { eraseComments } = ErasedRows.prototype;
const { eraseNext } = ErasedDatasets.prototype;
const { erase } = Traces.prototype;
const { remove } = MediaStore.prototype;
const moments: Record<string, () => void> = {
  'comments are erased and posts are not': () => {
    ErasedRows.prototype.eraseComments = async function (...given) {
      await eraseComments.apply(this, given);
      killHere();
    };
  },
  'a file of a dataset is replaced and not removed': () => {
    MediaStore.prototype.remove = async function (key) {
      if (key.startsWith('datasets/') && !key.endsWith('-')) killHere();
      return remove.call(this, key);
    };
  },
  'datasets are erased and other traces are not': () => {
    ErasedDatasets.prototype.eraseNext = async function (...given) {
      const done = await eraseNext.apply(this, given);
      return done ?? killHere();
    };
  },
  'other traces are erased and it is not recorded': () => {
    Traces.prototype.erase = async function (...given) {
      await erase.apply(this, given);
      return killHere();
    };
  },
};
moments[moment!]!();
process.on('disconnect', () => process.exit());
await import('../../src/main.js');
