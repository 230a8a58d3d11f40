import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { addErasureList } from './erasure-list.js';

const line = (table: string, row: object): string => `${JSON.stringify({ table, row })}\n`;

describe('the rows of a list of erasures', () => {
  const listed = async (text: string): Promise<string> => {
    const file = join(await temporaryFolder(), 'list.ndjson');
    await writeFile(file, text);
    return file;
  };

  it('are added in their order, and only erasures that were missing are counted', async () => {
    const rows = [
      line('workspace_keys', { id: 1 }),
      line('suppressions', { id: 2 }),
      line('erasures', { id: 3, phase: 'done', completed_at: 'x' }),
      line('erasures', { id: 4 }),
    ];
    const added: [string, unknown][] = [];
    const count = await addErasureList(
      (sql, [row]) => {
        const { id, ...rest } = JSON.parse(String(row)) as { id: number; phase?: string };
        added.push([/INTO (\w+)/.exec(sql)![1]!, id]);
        if (id === 3) expect(rest).toMatchObject({ phase: 'begin', completed_at: null });
        return Promise.resolve({ rowCount: id === 4 ? 0 : 1 });
      },
      await listed(`${rows.join('')}\n`),
    );
    expect(count).toBe(1);
    expect(added).toEqual([
      ['workspace_keys', 1],
      ['suppressions', 2],
      ['erasures', 3],
      ['erasures', 4],
    ]);
  });

  it.each([['not JSON'], ['{"table":"posts","row":{}}'], ['{"table":"erasures","row":null}'], ['[]']])(
    'are refused with their line when they are none: %s',
    async (text) => {
      const adding = addErasureList(() => Promise.resolve({ rowCount: 1 }), await listed(`\n${text}\n`));
      await expect(adding).rejects.toThrow(/list\.ndjson, line 2 is not of a list/);
    },
  );
});
