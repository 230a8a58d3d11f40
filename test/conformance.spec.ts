import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkConformance, type CheckResult } from '../src/cli/source-check/conformance.js';
import { readRecordedSource } from '../src/cli/source-check/recorded-source.js';
import { loadSource, loadSources } from '../src/platforms/custom/load-sources.js';
import { SOURCES } from '../src/platforms/registry.js';
import { temporaryFolder } from './support/temporary-folder.js';

const EXAMPLE = join(process.cwd(), 'docs/examples/board');
const MODULE = join(EXAMPLE, 'board.mjs');
const RECORDED = join(EXAMPLE, 'recorded.json');

describe('the conformance suite', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  /** Checks the example with a mistake in its module. */
  const checkChanged = async (right: string, wrong: string): Promise<CheckResult[]> => {
    const code = readFileSync(MODULE, 'utf8');
    expect(code).toContain(right);
    const path = join(folder, 'changed.mjs');
    await writeFile(path, code.replace(right, wrong));
    return checkConformance(await loadSource(path), readRecordedSource(RECORDED));
  };

  it('finds no problem in the worked example, and skips nothing', async () => {
    const results = await checkConformance(await loadSource(MODULE), readRecordedSource(RECORDED));
    expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
  });

  it.each([
    ['paging', 'page.next && String(page.next)', 'page.threads.length === 2 ? String(page.next) : null'],
    ['short_pages', 'page.next && String(page.next)', 'page.threads.length < 2 ? null : String(page.next)'],
    ['targets', 'tools.plainText(thread.html, TEXT_LENGTH)', '`${thread.html}\\0`'],
    ['ids', 'this.fetchThread(id, session))', 'this.fetchThread(`${id}1`, session))'],
    ['deletions', '!shown.has(id)).map', 'shown.has(id)).map'],
  ])('finds a mistake in %s', async (check, right, wrong) => {
    const results = await checkChanged(right, wrong);
    expect(results.find((result) => result.check === check)).toMatchObject({ status: 'problem' });
  });

  it.each([
    ['nothing', 'export default 5;', 'must be a definition'],
    ['a wrong name', 'export default { source: "My Source" };', '`source` must be'],
    ['a mistake in the code', 'export default {;', 'cannot be loaded'],
  ])('is not reached by a module with %s', async (_what, code, words) => {
    await writeFile(join(folder, 'wrong.mjs'), code);
    const { failure, definitions } = await loadSources(folder, SOURCES.all);
    expect(definitions).toEqual([]);
    expect(failure).toMatch(/^SOURCES_DIR: .*wrong\.mjs/);
    expect(failure).toContain(words);
  });

  it('refuses a second source with the same names', async () => {
    const code = readFileSync(MODULE, 'utf8');
    await writeFile(join(folder, 'a.mjs'), code);
    expect(await loadSources(folder, SOURCES.all)).toMatchObject({ failure: null });
    await writeFile(join(folder, 'b.mjs'), code);
    expect((await loadSources(folder, SOURCES.all)).failure).toContain('b.mjs: The source board has a name');
  });
});
