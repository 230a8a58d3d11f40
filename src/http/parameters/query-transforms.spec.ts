import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, validateSync } from 'class-validator';
import { BooleanFromQuery, InstantFromQuery, IntegerFromQuery, IsInstant } from './query-transforms.js';

class Query {
  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  limit?: number;

  @IsOptional()
  @BooleanFromQuery()
  @IsBoolean()
  flag?: boolean;

  @IsOptional()
  @InstantFromQuery()
  from?: string;

  @IsOptional()
  @IsInstant()
  at?: string;
}

/** The value of a field as it is read; undefined when it is refused. */
function read(field: keyof Query, text: string): unknown {
  const query = plainToInstance(Query, { [field]: text });
  return validateSync(query).length === 0 ? query[field] : undefined;
}

describe('a parameter of a query', () => {
  it.each([
    ['0', 0],
    ['-7', -7],
    ['+7', 7],
    ['007', 7],
    ['999999999999999', 999_999_999_999_999],
    ['1000000000000000', undefined],
    ['1.0', undefined],
    ['1e3', undefined],
    ['0x1', undefined],
    [' 1', undefined],
    ['', undefined],
  ])('as an integer reads %j as %s', (text, value) => {
    expect(read('limit', text)).toBe(value);
  });

  it.each([
    ['true', true],
    ['false', false],
    ['TRUE', undefined],
    ['1', undefined],
    ['', undefined],
  ])('as a boolean reads %j as %s', (text, value) => {
    expect(read('flag', text)).toBe(value);
  });

  it.each([
    ['2026-01-31T00:00:00Z', true],
    ['2026-01-31T00:00Z', true],
    ['2026-01-31T00:00:00.123456789Z', true],
    ['2026-01-31T00:00:00.1234567890Z', false],
    ['2026-01-31T00:00:00+15:59', true],
    ['2026-01-31T00:00:00-0530', true],
    ['2026-01-31T00:00:00+16:00', false],
    ['2026-01-31T00:00:00+05:60', false],
    ['2026-01-31T00:00:00', false],
    ['2026-01-31', false],
    ['2026-02-30T00:00:00Z', false],
    ['2026-01-31T24:00:01Z', false],
    ['0000-01-31T00:00:00Z', false],
    ['2026-01-31 00:00:00Z', false],
  ])('as an instant accepts %j: %s', (text, isAccepted) => {
    const expected = isAccepted ? text : undefined;
    expect([read('from', text), read('at', text)]).toEqual([expected, expected]);
  });

  it('as an instant may have the plus of its zone as a space', () => {
    expect(read('from', '2026-01-31T00:00:00 02:00')).toBe('2026-01-31T00:00:00+02:00');
    expect(read('from', '2026-01-31T00:00:00 0200')).toBe('2026-01-31T00:00:00+0200');
    expect(read('at', '2026-01-31T00:00:00 02:00')).toBeUndefined();
  });
});
