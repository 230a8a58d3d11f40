import { parseRedditTarget } from './reddit-names.js';

describe('a target of Reddit', () => {
  it.each([
    ['forum', 'technology', 'technology'],
    ['forum', 'r/technology', 'technology'],
    ['forum', ' /r/Technology/ ', 'Technology'],
    ['forum', 'R/technology', 'technology'],
    ['forum', 'https://www.reddit.com/r/technology/', 'technology'],
    ['forum', 'reddit.com', 'reddit.com'],
    ['forum', 'https://www.reddit.com/r/reddit.com', 'reddit.com'],
    ['forum', 'http://old.reddit.com/r/technology/new/?limit=5#x', 'technology'],
    ['forum', 'reddit.com/r/technology/comments/abc/title/', 'technology'],
    ['forum', 'https://sh.np.reddit.com/r/a+b', 'a+b'],
    ['forum', 't:topic', 't:topic'],
    ['forum', 'u_someone', 'u_someone'],
    ['user', 'u/some-one', 'some-one'],
    ['user', '/user/someone/submitted', 'someone'],
    ['user', 'https://www.reddit.com/u/someone', 'someone'],
    ['user', 'someone/comments', 'someone/comments'],
    ['user', 'https://www.reddit.com/user/someone/comments/?sort=new', 'someone/comments'],
    ['forum', 'reddit.com/r/technology/comments', 'technology'],
    ['user', '---', '---'],
    ['user', 'r', 'r'],
  ] as const)('%s %j has the name %j', (type, name, normal) =>
    expect(parseRedditTarget({ type, name })).toEqual({ target: { type, name: normal } }),
  );

  it.each([
    ['forum', 'u/someone', 'is an account: send `target` "someone" with `target_type` "user"'],
    ['user', 'https://www.reddit.com/r/technology', 'is a subreddit: send `target` "technology"'],
    ['forum', 'https://www.reddit.com/', 'names no subreddit and no account'],
    ['forum', 'https://redd.it/abc', 'names no subreddit and no account'],
    ['user', 'https://example.com/u/someone', 'names no subreddit and no account'],
  ] as const)('%s %j is refused', (type, name, refusal) =>
    expect(parseRedditTarget({ type, name })).toMatchObject({ refusal: expect.stringContaining(refusal) }),
  );
});
