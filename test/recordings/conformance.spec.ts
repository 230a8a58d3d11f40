import { checkConformance } from '../../src/cli/source-check/conformance.js';
import { SOURCES } from '../../src/platforms/registry.js';
import { remembering } from '../support/remembering.js';
import { withShared } from '../support/shared-folder.js';
import { CONFORMANCE_SOURCES } from './conformance-sources.js';

describe.each(SOURCES.all.map(({ source }) => source))('the built-in source %s', (source) => {
  const { recordings, start } = CONFORMANCE_SOURCES[source]!;

  withShared(...recordings).it('passes the conformance suite', async () => {
    const started = await start();
    try {
      const deletions = await started.findDeletions();
      const recorded = remembering({ ...started.recorded, deletions });
      const results = await checkConformance(SOURCES.find(source)!, recorded);
      expect(results.filter(({ status }) => status === 'problem')).toEqual([]);
      expect(results.find(({ check }) => check === 'deletions')).toMatchObject({
        status: deletions === null ? 'skipped' : 'ok',
      });
    } finally {
      await started.stop();
    }
  });
});
