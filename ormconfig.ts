import 'reflect-metadata';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { parseEnvironment } from './src/config/environment.js';
import { dataSourceOptions } from './src/database/data-source.js';

/** For the TypeORM command line: migrations against the Postgres that DATABASE_URL names. */
const { DATABASE_URL } = parseEnvironment(process.env);
if (DATABASE_URL === undefined)
  throw new Error('DATABASE_URL must name the Postgres to migrate, e.g. postgres://user@127.0.0.1:5432/name');

export default new DataSource({
  ...dataSourceOptions(DATABASE_URL),
  entities: [join(import.meta.dirname, 'src/**/*.entity.{js,ts}')],
});
