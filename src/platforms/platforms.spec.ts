import type { Platform } from './platform.js';
import { Platforms } from './platforms.js';
import { LISTINGS } from './reddit/listing-request.js';

const platformOf = (source: string): Platform =>
  ({
    source,
    close: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      closed.push(source);
    },
  }) as unknown as Platform;
const closed: string[] = [];

describe('Platforms', () => {
  const platforms = new Platforms(platformOf('default'), { hn: platformOf('other') });

  it.each([
    ['technology', 'default', 'technology'],
    ['hn:top', 'other', 'top'],
    ['HN:top', 'other', 'top'],
    ['hn:', 'other', ''],
    ['hn', 'default', 'hn'],
    ['topic:rust', 'default', 'topic:rust'],
    ['constructor:x', 'default', 'constructor:x'],
    ['hn:a:b', 'other', 'a:b'],
  ])('serves %s from the platform of its prefix', (target, source, name) => {
    const found = platforms.of({ type: 'forum', name: target });
    expect(found.platform.source).toBe(source);
    expect(found.target).toEqual({ type: 'forum', name });
  });

  it('closes every platform', async () => {
    await platforms.onApplicationShutdown();
    expect(closed.sort()).toEqual(['default', 'other']);
  });
});

describe("Reddit's listings", () => {
  it('are the newest posts and every order over every window, once each', () => {
    expect(LISTINGS[0]).toBe('new');
    expect(LISTINGS).toHaveLength(14);
    expect(new Set(LISTINGS).size).toBe(14);
  });
});
