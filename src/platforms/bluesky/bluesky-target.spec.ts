import { parseBlueskyTarget, resolveBluesky } from './bluesky-target.js';

const LIST = 'at://did:plc:abc/app.bsky.graph.list/3kX';

describe('targets of Bluesky', () => {
  it.each([
    ['user', '@Name.Example.org', 'name.example.org'],
    ['user', 'did:plc:abc', 'did:plc:abc'],
    ['user', '@Bücher.example', 'xn--bcher-kva.example'],
    ['forum', '#Größe', '#größe'],
    ['forum', '#Gro%CC%88%C3%9Fe', '#größe'],
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
    ['https://www.bsky.app/search?q=%23RStats', 'bsky:#rstats'],
    ['https://bsky.app/search?q=solar%20OR%20Wind', 'bsky:search/solar OR Wind'],
  ])('finds the target at %s', (address, target) => {
    expect(resolveBluesky(new URL(address))).toMatchObject({ target });
  });

  it.each([
    ['https://bsky.app/profile/name.example.org/lists/3k', 'bsky:at://DID/'],
    ['https://bsky.app/hashtag/%', 'bsky:#TOPIC'],
    ['https://bsky.app/search?q=', 'bsky:search/QUERY'],
    ['https://bsky.app/settings', 'bsky:HANDLE'],
  ])('says how to write a target instead of %s', (address, form) => {
    expect(resolveBluesky(new URL(address))).toEqual({ refusal: expect.stringContaining(form) });
  });

  it('knows no address of another site', () => {
    expect(resolveBluesky(new URL('https://example.org/profile/name.example.org'))).toBeNull();
  });
});
