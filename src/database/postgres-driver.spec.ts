import pg from 'pg';
import { DependencyUnavailableError } from '../common/dependency-unavailable.js';
import { typedFailure } from './postgres-driver.js';

describe('typedFailure', () => {
  it.each([
    new pg.DatabaseError('duplicate key', 1, 'error'),
    Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' }),
    new TypeError('Converting circular structure to JSON'),
  ])('leaves %s unchanged: the server, a socket or the caller names its cause', (error) => {
    expect(typedFailure(error)).toBe(error);
  });

  it('treats all other errors of pg as an unavailable Postgres', () => {
    const cause = new Error('Connection terminated unexpectedly');
    expect(typedFailure(cause)).toEqual(new DependencyUnavailableError('Postgres', { cause }));
    expect(typedFailure(cause).cause).toBe(cause);
  });
});
