import type { EntityManager } from 'typeorm';
import type { QuotasService } from '../usage/quotas.service.js';
import { type Listener, type ListenerOwner, Listeners } from './listeners.js';

const WORKSPACE = '00000000-0000-4000-8000-000000000001';
const TX = {} as EntityManager;

describe('listeners', () => {
  let enforced: unknown[][];
  let used: () => Promise<number>;
  let listeners: Listeners;

  const owner = (name: string, listened: Pick<Listener, 'id' | 'listen'>[]): ListenerOwner => ({
    version: () => Promise.resolve(name),
    list: () => Promise.resolve(listened as Listener[]),
    listened: (workspaceId) => Promise.resolve(workspaceId === WORKSPACE ? listened : []),
  });

  beforeEach(() => {
    enforced = [];
    const quotas = {
      register: (_name: string, count: (workspaceId: string) => Promise<number>) =>
        (used = () => count(WORKSPACE)),
      enforce: (...given: unknown[]) => Promise.resolve(enforced.push(given)),
    };
    listeners = new Listeners(quotas as unknown as QuotasService);
    listeners.register(owner('alerts 1', [{ id: 'alert', listen: ['bluesky', 'lemmy:a', 'feed:b'] }]));
    listeners.register(owner('searches 2', [{ id: 'search', listen: ['feed:b', 'mastodon:c'] }]));
  });

  const added = async (id: string, ...listen: string[]): Promise<unknown[]> => {
    enforced = [];
    await listeners.enforce(WORKSPACE, { id, listen }, TX);
    return enforced;
  };

  it('use the quota with each site and feed once, and not with whole sources', async () => {
    expect(await used()).toBe(3);
  });

  it.each([
    { of: 'a new one', id: 'new', listen: ['lemmy:d', 'feed:b', 'hackernews', 'lemmy:e'], more: 2 },
    { of: 'a changed one', id: 'alert', listen: ['lemmy:d', 'lemmy:e', 'feed:b'], more: 1 },
    { of: 'a changed one with a shared feed', id: 'alert', listen: ['lemmy:a', 'lemmy:d'], more: 1 },
  ])('need as much more as the places of $of', async ({ id, listen, more }) => {
    expect(await added(id, ...listen)).toEqual([[WORKSPACE, 'listened_sites', more, TX]]);
  });

  it.each([
    ['new', ['lemmy:a', 'mastodon:c', 'github']],
    ['alert', ['lemmy:d']],
    ['alert', []],
  ])('need nothing more when no place is added: %s with %j', async (id, listen) => {
    expect(await added(id, ...listen)).toEqual([]);
  });

  it('are those of all owners', async () => {
    expect(await listeners.version()).toBe('alerts 1 searches 2');
    expect((await listeners.list()).map(({ id }) => id)).toEqual(['alert', 'search']);
  });
});
