import { JobWorkersRepository } from '../../src/collect/jobs/job-workers.repository.js';
import { createTestDatabase, openDataSource } from '../support/database.js';

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);
const workers = new JobWorkersRepository(dataSource);

describe('the workers of the service', () => {
  beforeEach(() => dataSource.query('DELETE FROM job_workers'));

  const silence = (id: string, seconds: number): Promise<unknown> =>
    dataSource.query('UPDATE job_workers SET seen_at = seen_at - make_interval(secs => $2) WHERE id = $1', [
      id,
      seconds,
    ]);
  const listed = async (): Promise<unknown[]> =>
    (await workers.list()).map(({ id, isAlive }) => [id, isAlive]);

  it('are alive for ten seconds after a heartbeat, unless they stop', async () => {
    expect(await workers.state()).toBe('none');
    await workers.beat('one', null);
    expect(await workers.state()).toBe('claiming');
    await silence('one', 10);
    expect(await workers.state()).toBe('none');
    await workers.beat('one', null);
    expect(await workers.state()).toBe('claiming');
    await workers.remove('one');
    expect(await workers.state()).toBe('none');
  });

  it('fail to claim jobs when all that are alive do, until one succeeds', async () => {
    const failure = { seconds: 5, reason: 'permission denied' };
    await workers.beat('one', failure);
    expect(await workers.state()).toBe('failing');
    await workers.beat('two', null);
    expect(await workers.state()).toBe('claiming');
    await silence('two', 10);
    expect(await workers.state()).toBe('failing');
    expect((await workers.list()).map(({ id, isFailing }) => [id, isFailing])).toEqual([
      ['one', true],
      ['two', false],
    ]);
    await workers.beat('one', null);
    expect(await workers.state()).toBe('claiming');
  });

  it('are listed by their last heartbeat, and forgotten a day after it', async () => {
    for (const id of ['of yesterday', 'silent', 'alive']) await workers.beat(id, null);
    await silence('of yesterday', 86_400);
    await silence('silent', 86_300);
    expect(await listed()).toEqual([
      ['alive', true],
      ['silent', false],
      ['of yesterday', false],
    ]);
    await workers.beat('alive', null);
    expect(await listed()).toEqual([
      ['alive', true],
      ['silent', false],
    ]);
  });
});
