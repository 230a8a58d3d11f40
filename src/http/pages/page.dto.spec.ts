import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { CursorPageDto, OffsetPageDto } from './page.dto.js';

type Page = typeof OffsetPageDto | typeof CursorPageDto;

/** Names of the fields of a query that are refused. */
const refused = (page: Page, query: object): string[] =>
  validateSync(plainToInstance<object, object>(page, query)).map(({ property }) => property);

describe('a page of a list', () => {
  it('begins with the first fifty rows unless requested otherwise', () => {
    expect(plainToInstance(OffsetPageDto, {})).toEqual({ limit: 50, offset: 0 });
  });

  it.each([
    [{ limit: '1', offset: '0' }, []],
    [{ limit: '200', offset: '2147483647' }, []],
    [{ limit: '0' }, ['limit']],
    [{ limit: '201' }, ['limit']],
    [{ offset: '-1' }, ['offset']],
    [{ offset: '2147483648' }, ['offset']],
  ])('with %j has the bad fields %j', (query, fields) => {
    expect(refused(OffsetPageDto, query)).toEqual(fields);
  });

  it.each([
    [{ cursor: 'x'.repeat(1_000) }, []],
    [{ cursor: 'x'.repeat(1_001) }, ['cursor']],
    [{ limit: '201' }, ['limit']],
  ])('after a cursor with %j has the bad fields %j', (query, fields) => {
    expect(refused(CursorPageDto, query)).toEqual(fields);
  });
});
