import { camelCase, type CamelCase } from '../../common/strings.js';

/** Names of the fields of a DTO class, in declaration order. */
export function fieldsOf<Dto extends object>(dto: new () => Dto): readonly (keyof Dto & string)[] {
  return Object.keys(new dto()) as (keyof Dto & string)[];
}

/** The camelCase properties from which the snake_case fields of a DTO are read. */
export type PropertiesOf<Dto> = { [Field in keyof Dto & string as CamelCase<Field>]: Dto[Field] };

/**
 * Returns a function that reads the fields of a DTO, in the given order, from the camelCase properties of a row. The
 * names are computed once, because lists call the function for every row.
 */
export function fieldReader<Dto>(fields: readonly (keyof Dto & string)[]): (row: PropertiesOf<Dto>) => Dto {
  const pairs = fields.map((field) => [field, camelCase(field)] as const);
  return (row) => {
    const dto: Record<string, unknown> = {};
    for (const [field, property] of pairs) dto[field] = (row as Record<string, unknown>)[property];
    return dto as Dto;
  };
}
