import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { executed, ROOT } from '../support/doc-blocks.js';
import { sharedPath, withShared } from '../support/shared-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const COMMAND_TIMEOUT_MS = 150_000;
const TRAINING_DATA = 'text-analysis';
/** Rows of each set; with all of them, training takes minutes. */
const ROWS = 60;

withShared(TRAINING_DATA).describe('commands that train', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  it.each(executed('sh', 'docs/model-card.md').map((block) => [block.name, block] as const))(
    '%s',
    async (_name, block) => {
      // `.ci/run` has built the project.
      await symlink(join(ROOT, 'dist'), join(folder, 'dist'));
      await mkdir(join(folder, 'data'));
      for (const name of ['sentiment', 'keywords'])
        await mkdir(join(folder, 'src/enrichment', name), { recursive: true });
      const sets = (await readdir(sharedPath(TRAINING_DATA))).filter((file) => file.endsWith('.tsv'));
      for (const name of sets) {
        const lines = (await readFile(sharedPath(TRAINING_DATA, name), 'utf8')).split('\n').slice(0, ROWS);
        await writeFile(join(folder, 'data', name), lines.join('\n'));
      }
      const script = block.text.replace('npm run build\n', '').replaceAll('FOLDER', 'data');
      const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
        ...{ cwd: folder, encoding: 'utf8', timeout: COMMAND_TIMEOUT_MS },
      });
      expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
      expect(await readdir(join(folder, 'src/enrichment/sentiment'))).toContain('weights.bin');
    },
    2 * COMMAND_TIMEOUT_MS,
  );
});
