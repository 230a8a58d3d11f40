import { FlarumDocument } from './flarum-wire.js';

const TIME = '2026-01-02T03:04:05Z';

describe('a post of Flarum', () => {
  it.each([
    ['5', 1],
    [5, 1],
    [5, '1'],
  ])('of the account %j with the number %j opens its discussion', (id, number) => {
    const post = {
      id: 7,
      attributes: { number, createdAt: TIME, contentHtml: '<p>text</p>' },
      relationships: { user: { data: { type: 'users', id } } },
    };
    const user = { type: 'users', id, attributes: { username: 'ann' } };
    const document = FlarumDocument.of({ data: [post], included: [user] })!;
    expect(document.readPost(post)).toMatchObject({ isOpening: true, userId: '5', author: 'ann' });
  });
});
