import { PART_LIMITS } from '../../src/takeout/exports/export-executor.js';
import { ExportLeasesRepository } from '../../src/takeout/exports/export-leases.repository.js';
import { EXPORT_SLOTS, ExportCopy } from '../../src/takeout/exports/export-copy.js';

/** A worker process of a test: writes small parts and kills itself when all its exports have reached a moment. */
const [moment, partRows] = process.argv.slice(2);
PART_LIMITS.rows = Number(partRows);
let arrived = 0;
const killHere = (): Promise<never> => {
  if (++arrived === EXPORT_SLOTS) process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

const { batches } = ExportCopy.prototype;
const { recordPart, end } = ExportLeasesRepository.prototype;
const moments: Record<string, () => void> = {
  never: () => undefined,
  'a part is partly written': () => {
    ExportCopy.prototype.batches = async function* (...query) {
      for await (const rows of batches.apply(this, query)) {
        yield rows;
        await killHere();
      }
    };
  },
  'a file is in the store and not recorded': () => {
    ExportLeasesRepository.prototype.recordPart = async function (part, ...rest) {
      if (part.number === 2) await killHere();
      return recordPart.apply(this, [part, ...rest]);
    };
  },
  'the record of a part is not committed': () => {
    ExportLeasesRepository.prototype.recordPart = async function (part, ...rest) {
      const isRecorded = await recordPart.apply(this, [part, ...rest]);
      if (part.number === 3) await killHere();
      return isRecorded;
    };
  },
  'the end is not committed': () => {
    ExportLeasesRepository.prototype.end = async function (...ending) {
      await end.apply(this, ending);
      return killHere();
    };
  },
};
moments[moment!]!();
process.on('disconnect', () => process.exit());
await import('../../src/main.js');
