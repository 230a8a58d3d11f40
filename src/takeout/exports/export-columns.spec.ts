import { columnsOfKind, encoderOfColumns, requireColumns } from './export-columns.js';
import { EXPORTED_TABLES } from './exported-table.js';
import { CSV } from './formats/csv-encoder.js';
import { NDJSON } from './formats/json-encoders.js';

const TABLE = EXPORTED_TABLES.posts;
const ROW = TABLE.fields.map(({ name }) => `${name} of it`);

describe('columns of an export', () => {
  it.each([CSV, NDJSON])('are written in the chosen order as $name', ({ name, createEncoder }) => {
    const encoder = encoderOfColumns(TABLE, ['title', 'id'], (table) => createEncoder(table, {}));
    expect(Buffer.concat([encoder.write([ROW]), encoder.end()]).toString()).toBe(
      name === 'csv'
        ? '"title","id"\r\n"title of it","id of it"\r\n'
        : '{"title":"title of it","id":"id of it"}\n',
    );
  });

  it('are all of the table without a choice', () => {
    const encoder = encoderOfColumns(TABLE, null, (table) => NDJSON.createEncoder(table, {}));
    const row = JSON.parse(Buffer.from(encoder.write([ROW])).toString()) as object;
    expect(Object.keys(row)).toEqual(columnsOfKind('posts'));
  });

  it('are refused when the kind does not have them, with the allowed ones', () => {
    expect(() => requireColumns('comments', ['comment_id', 'title', 'x'])).toThrow(
      expect.objectContaining({
        extra: {
          errors: [
            {
              field: 'columns',
              message: expect.stringMatching(
                /^columns must be fields of comments\. Unknown: title, x\. Allowed: id, comment_id, .*\.$/,
              ) as string,
            },
          ],
        },
      }),
    );
    expect(() => requireColumns('posts', ['title', 'model_label'])).not.toThrow();
  });

  it('do not exist silently when a table lacks one', () => {
    expect(() => encoderOfColumns(TABLE, ['gone'], (table) => CSV.createEncoder(table, {}))).toThrow(
      'exports have no column gone',
    );
  });
});
