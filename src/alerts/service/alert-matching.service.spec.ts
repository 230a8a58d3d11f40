import type { EntityManager } from 'typeorm';
import { SystemClock } from '../../common/clock.js';
import type { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { Alert } from '../alert/alert.entity.js';
import type { AlertMatchesRepository, NewMatch } from '../matching/alert-matches.repository.js';
import type { DigestsRepository } from '../digests/digests.repository.js';
import { MatchRecorder } from './match-recorder.js';
import { MatchSender } from './match-sender.js';
import { AlertMatchingService } from './alert-matching.service.js';
import type { AlertsRepository } from '../alert/alerts.repository.js';
import type { RelevanceModels } from '../relevance/relevance-models.js';
import type { StoryFolding } from '../stories/story-folding.service.js';
import type { AlertablePost } from '../matching/triggering.js';

const POST = { id: 't3_1', forum: 'technology', title: 'Rust', selftext: '', createdUtc: new Date(0) };
const ALERT = Object.assign(new Alert(), {
  id: 'a',
  keywords: ['rust'],
  forums: [],
  query: null,
  of: 'posts' as const,
  triggerCount: 0,
});

/** Matches a batch while one of its statements fails; names the statements that were begun. */
async function matchWithout(failing: string): Promise<{ begun: string[]; error: unknown }> {
  const begun: string[] = [];
  const statement = async <T>(name: string, answer: T): Promise<T> => {
    begun.push(name);
    await new Promise((resolve) => setImmediate(resolve));
    if (name === failing) throw new Error(`${name} failed`);
    return answer;
  };
  const alerts = {
    active: () => statement('active', [ALERT]),
    lockActive: () => statement('lock', [ALERT]),
    countTriggering: () => statement('count', undefined),
  } as unknown as AlertsRepository;
  const service = new AlertMatchingService(
    alerts,
    new MatchRecorder(
      {
        insert: (_workspaceId: string, _jobId: string, matches: NewMatch[]) => statement('insert', matches),
      } as unknown as AlertMatchesRepository,
      { fold: () => statement('fold', []) } as unknown as StoryFolding,
      { find: () => statement('models', new Map()) } as unknown as RelevanceModels,
    ),
    new MatchSender(
      alerts,
      {} as DigestsRepository,
      { append: () => statement('append', undefined) } as unknown as OutboxRepository,
      new SystemClock(),
    ),
  );
  const error = await service
    .matchBatch('w', 'j', { posts: [POST as AlertablePost] }, null, {} as EntityManager)
    .catch((thrown: unknown) => thrown);
  return { begun, error };
}

describe('the matches of a batch', () => {
  const STATEMENTS = ['active', 'lock', 'models', 'insert', 'fold', 'count', 'append'];

  it.each(STATEMENTS)('are not stored when the statement "%s" fails', async (name) => {
    const { begun, error } = await matchWithout(name);
    expect(error).toEqual(new Error(`${name} failed`));
    expect(begun).toEqual(STATEMENTS.slice(0, STATEMENTS.indexOf(name) + 1));
  });
});
