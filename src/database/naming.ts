import { DefaultNamingStrategy } from 'typeorm';
import { snakeCase } from '../common/letter-case.js';

/** Maps camelCase properties of entities to snake_case columns. */
export class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return customName ?? snakeCase([...prefixes, propertyName].join('_'));
  }
}
