import type { TransactionRunner } from '../../database/transaction-runner.js';
import type { AuthorSubject } from '../../tenants/ports/erasure-subject.js';
import type { Removals } from '../../tenants/ports/removals.js';
import type { Traces } from '../../tenants/ports/traces.js';
import type { JobsRepository } from '../jobs/jobs.repository.js';
import type { SchedulesRepository } from '../schedules/schedules.repository.js';
import { ErasedAccounts } from './erased-accounts.js';

/** Erases an author where these targets have a schedule each, and a job each if they are accounts. */
async function erased(subject: Partial<AuthorSubject> | null, targets: readonly string[]) {
  const ended: string[] = [];
  const cleared: string[] = [];
  const schedules = targets.flatMap((target) =>
    ['user', 'forum'].map((targetType) => ({ id: `${targetType} ${target}`, target, targetType })),
  );
  const accounts = new ErasedAccounts(
    { run: (work: (tx: unknown) => unknown) => work({}) } as TransactionRunner,
    {
      listUsers: () => Promise.resolve(targets),
      eraseUsers: (_workspaceId: string, found: string[]) => Promise.resolve(cleared.push(...found) && found),
    } as unknown as JobsRepository,
    {
      list: () => Promise.resolve(schedules),
      delete: (_workspaceId: string, id: string) => Promise.resolve(ended.push(id)),
    } as unknown as SchedulesRepository,
    { remove: () => Promise.resolve({ events: 7 }) } as unknown as Removals,
    { register: () => undefined } as unknown as Traces,
  );
  const counts = await accounts.erase('w', subject && ({ kind: 'author', ...subject } as AuthorSubject));
  return { counts, ended, cleared };
}
const TARGETS = [
  'ann',
  'Bob',
  'hn:ann',
  'bsky:ann.example.org',
  'mastodon:ann@s.example',
  'mastodon:ann@t.example',
];

describe('the erasure of an author', () => {
  it.each<[Partial<AuthorSubject>, string[]]>([
    [{ source: 'reddit', author: 'ann' }, ['ann']],
    [{ source: 'reddit', author: 'ANN' }, ['ann']],
    [{ source: 'reddit', author: 'bob' }, ['Bob']],
    [{ source: 'hackernews', author: 'ann' }, ['hn:ann']],
    [{ source: 'bluesky', author: 'ann.example.org' }, ['bsky:ann.example.org']],
    [{ source: 'mastodon', author: 'ann@t.example' }, ['mastodon:ann@t.example']],
    [{ source: null, author: 'ann' }, ['ann', 'hn:ann', 'mastodon:ann@s.example', 'mastodon:ann@t.example']],
    [{ source: 'reddit', author: 'an' }, []],
    [{ source: 'reddit', author: 'eve' }, []],
  ])('%j ends what scrapes this account, and nothing else', async (subject, expected) => {
    const { counts, ended, cleared } = await erased(subject, TARGETS);
    expect(ended).toEqual(expected.map((target) => `user ${target}`));
    expect(cleared).toEqual(expected);
    const jobs = expected.length === 0 ? {} : { jobs: expected.length, events: 7 };
    expect(counts).toEqual({ schedules: expected.length, ...jobs });
  });

  it('passes over what cannot be a target, and erasures of other kinds', async () => {
    expect((await erased({ source: null, author: 'x' }, ['no such:x', ''])).ended).toEqual([]);
    expect(await erased(null, TARGETS)).toEqual({ counts: {}, ended: [], cleared: [] });
  });
});
