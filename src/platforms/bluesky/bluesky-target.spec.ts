import { parseBlueskyTarget, resolveBluesky } from './bluesky-target.js';

const LIST = 'at://did:plc:abc/app.bsky.graph.list/3kX';

describe('targets of Bluesky', () => {
  it.each([
    ['user', '@Name.Example.org', 'name.example.org'],
    ['user', 'did:plc:abc', 'did:plc:abc'],
    ['forum', '#Größe', '#größe'],
    ['forum', LIST, LIST],
  ] as const)('has the %s %s in its normal form', (type, name, normal) => {
    expect(parseBlueskyTarget({ type, name })).toEqual({ target: { type, name: normal } });
  });

  it.each([
    ['user', 'name'],
    ['user', '#topic'],
    ['forum', 'name.example.org'],
    ['forum', '#two words'],
    ['forum', 'at://did:plc:abc/app.bsky.feed.post/3k'],
  ] as const)('refuses the %s %s', (type, name) => {
    expect(parseBlueskyTarget({ type, name })).toHaveProperty('refusal');
  });

  it.each([
    ['https://bsky.app/profile/Name.example.org', 'bsky:name.example.org'],
    ['https://bsky.app/profile/name.example.org/post/3k', 'bsky:name.example.org'],
    ['https://bsky.app/profile/did:plc:abc/lists/3kX', `bsky:${LIST}`],
    ['https://bsky.app/hashtag/RStats?author=x', 'bsky:#rstats'],
    ['https://bsky.app/profile/name.example.org/lists/3k', undefined],
    ['https://bsky.app/hashtag/%', undefined],
    ['https://example.org/profile/name.example.org', undefined],
  ])('finds the target at %s', (address, target) => {
    expect(resolveBluesky(new URL(address))?.target).toBe(target);
  });
});
