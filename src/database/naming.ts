import { DefaultNamingStrategy, type Table } from 'typeorm';
import { snakeCase } from '../common/strings.js';

/**
 * Maps camelCase properties of entities to snake_case columns, and names constraints as Postgres does when a migration
 * gives no name.
 */
export class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return customName ?? snakeCase([...prefixes, propertyName].join('_'));
  }

  override primaryKeyName(table: Table | string): string {
    return `${tableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${tableName(table)}_${columns.join('_')}_fkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `${tableName(table)}_${columns.join('_')}_key`;
  }
}

const tableName = (table: Table | string): string => (typeof table === 'string' ? table : table.name);
