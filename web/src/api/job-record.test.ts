import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Job } from './job-events.ts';
import { keepRecord } from './job-record.ts';
import { keys } from './keys.ts';

const KEY = keys.job('ws_1', 'job_1');
const record = (status: Job['status']): Job => ({ id: 'job_1', status }) as Job;

test('an older answer that arrives after the end of a job does not replace it', async () => {
  const client = new QueryClient();
  const answers: ((job: Job) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: KEY,
    queryFn: () => new Promise<Job>((resolve) => answers.push(resolve)),
  });
  const stop = observer.subscribe(() => undefined);

  keepRecord(client, KEY, record('failed'), true);
  const [older, newer] = answers;
  older!(record('running'));
  newer!({ ...record('failed'), limit: 100 });
  await expect.poll(() => client.getQueryData<Job>(KEY)?.limit).toBe(100);
  expect(client.getQueryData<Job>(KEY)?.status).toBe('failed');
  stop();
});

test('data of other pages is only marked as old while the job runs', () => {
  const client = new QueryClient();
  client.setQueryData(keys.allJobs(), 'a list');
  keepRecord(client, KEY, record('running'), false);
  expect(client.getQueryState(keys.allJobs())).toMatchObject({ isInvalidated: true, fetchStatus: 'idle' });
});
