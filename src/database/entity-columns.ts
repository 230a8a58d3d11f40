import { getMetadataArgsStorage } from 'typeorm';
import { snakeCase } from '../common/letter-case.js';

/** A column as its entity declares it. */
export interface EntityColumn {
  property: string;
  name: string;
  /** Type in Postgres, of the elements when `isArray`. */
  type: string;
  isArray: boolean;
  isNullable: boolean;
  /** False for columns that Postgres generates. */
  isWritten: boolean;
}

/** The table of an entity class. */
export function tableOf(entity: new () => object): string {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  if (table?.name === undefined) throw new Error(`${entity.name} is not an entity with a table name`);
  return table.name;
}

/** The columns of an entity class in the order of their declaration; needs no connection. */
export function columnsOf(entity: new () => object): EntityColumn[] {
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName, options }) => ({
      property: propertyName,
      name: snakeCase(propertyName),
      type: String(options.type),
      isArray: options.array === true,
      isNullable: options.nullable === true,
      isWritten: options.insert !== false,
    }));
}

/** The properties that TypeORM reads when a query names none. */
export function selectedProperties(entity: new () => object): string[] {
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .filter(({ options }) => options.select !== false)
    .map(({ propertyName }) => propertyName);
}

/**
 * A select list that reads columns under their entity's property names, e.g. `id, created_utc AS "createdUtc"`; `table`
 * names the table or its alias where a statement reads several.
 */
export function selectList(properties: readonly string[], table?: string): string {
  const prefix = table === undefined ? '' : `${table}.`;
  return properties
    .map((property) => {
      const name = snakeCase(property);
      return name === property ? prefix + name : `${prefix}${name} AS "${property}"`;
    })
    .join(', ');
}
