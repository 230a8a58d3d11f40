import { readTopicSummary } from './discourse/discourse-wire.js';
import { SOURCES } from './registry.js';

describe('a target as browsers copy it', () => {
  it.each([
    ['stackexchange:stackoverflow/c%2B%2B', 'stackexchange:stackoverflow/c++'],
    ['stackexchange:ru.stackoverflow/%D1%8F', 'stackexchange:ru.stackoverflow/я'],
    ['discourse:s.example/tag/Cafe%CC%81', 'discourse:s.example/tag/Café'],
    ['discourse:s.example/c/Cafe%CC%81', 'discourse:s.example/c/café'],
    ['flarum:s.example/t/Cafe%CC%81', 'flarum:s.example/t/café'],
    ['mastodon:#%E4%BD%A0@s.example', 'mastodon:#你@s.example'],
    ['bsky:#%E4%BD%A0', 'bsky:#你'],
  ])('is %s in its normal form', (name, normal) =>
    expect(SOURCES.nameOf({ type: 'forum', name })).toEqual({ name: normal }),
  );

  it.each(['cafe\u0301', 'cafe%CC%81', 'caf%C3%A9', 'caf\u00e9'])(
    'has the name that the slug %j has',
    (slug) =>
      expect(readTopicSummary({ id: 1, title: 't', slug, created_at: '2026-01-01' })?.slug).toBe('caf\u00e9'),
  );
});
