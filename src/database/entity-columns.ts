import { getMetadataArgsStorage } from 'typeorm';
import { snakeCase } from '../common/strings.js';

/** A column as declared by its entity. */
export interface EntityColumn {
  property: string;
  name: string;
  /** Type in Postgres; the element type when `isArray`. */
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

/** The columns of an entity class in declaration order, inherited ones first; needs no connection. */
export function columnsOf(entity: new () => object): EntityColumn[] {
  return declaredColumns(entity).map(({ propertyName, options }) => ({
    property: propertyName,
    name: snakeCase(propertyName),
    type: String(options.type),
    isArray: options.array === true,
    isNullable: options.nullable === true,
    isWritten: options.insert !== false,
  }));
}

/** The properties that TypeORM selects by default. */
export function selectedProperties(entity: new () => object): string[] {
  return declaredColumns(entity)
    .filter(({ options }) => options.select !== false)
    .map(({ propertyName }) => propertyName);
}

const declaredColumns = (entity: new () => object) =>
  getMetadataArgsStorage().filterColumns(lineageOf(entity));

/** A class and those that it extends. */
function lineageOf(entity: object): NewableFunction[] {
  return typeof entity === 'function' && entity !== Function.prototype
    ? [entity, ...lineageOf(Object.getPrototypeOf(entity) as object)]
    : [];
}

/**
 * A select list that reads columns under their entity's property names, e.g. `id, created_utc AS "createdUtc"`; `table`
 * is the table or alias to prefix where a statement reads several tables.
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
