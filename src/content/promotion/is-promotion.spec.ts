import { growthOf } from '../../../test/support/growth.js';
import { isPromotion, type PromotedText } from './is-promotion.js';

const promotes = (text: Partial<PromotedText>): boolean =>
  isPromotion({ id: 't3_1', author: 'ann_miller', texts: [], url: null, ...text });

describe('a text is promotion', () => {
  it.each([
    ['the domain of its author', { url: 'https://www.annmiller.example/a' }],
    ['a subdomain of its author', { url: 'https://ann-miller.blog.example/a' }],
    ['a page of its author', { texts: ['', 'See (https://video.example/@AnnMiller).'] }],
    ['a profile of its author', { texts: ['https://shop.example/user/ann_miller/new'] }],
    ['the domain that is its account', { author: 'Paper.example', url: 'https://news.paper.example/a' }],
    [
      'a page of an account with a site',
      { author: 'ann_miller@b.example', url: 'https://annmiller.example' },
    ],
    ['a page of a handle', { author: 'annmiller.bsky.social', id: 'bs_x', url: 'https://annmiller.example' }],
    ['an address that pays', { url: 'https://shop.example/thing?aff_id=3' }],
    ['a shop that pays', { url: 'https://www.amazon.co.uk/dp/1?tag=ann-21' }],
    ['anything, with a code', { texts: ['Use the coupon code SUN', 'https://shop.example'] }],
    ['anything, with an offer', { texts: ['30% off: https://shop.example'] }],
    ['anything, with an invitation', { texts: ['Check out our app'], url: 'https://shop.example' }],
  ])('with a link to %s', (_, text) => {
    expect(promotes(text)).toBe(true);
  });

  it.each([
    ['no link', { texts: ['Check out my blog, 30% off'] }],
    ['a link elsewhere', { texts: ['I read https://paper.example/ann/miller'] }],
    [
      'a link to the same site',
      { texts: ['Buy now'], url: 'https://www.reddit.com/user/ann_miller/comments/1' },
    ],
    ['a part of its name', { url: 'https://annmillers.example/notes/2024/annmiller' }],
    ['a short name', { author: 'news', url: 'https://news.example/' }],
    ['a tag that is no reward', { url: 'https://blog.example/?tag=rust' }],
    ['the name of a deleted account', { author: '[deleted]', url: 'https://deleted.example/' }],
    ['a damaged link', { texts: ['Buy now https://[x'] }],
  ])('not with %s', (_, text) => {
    expect(promotes(text)).toBe(false);
  });

  it('only for links and words at the beginning of a long text', () => {
    const after = (words: number): string => `${'x '.repeat(words)}https://annmiller.example`;
    expect(promotes({ texts: [after(5_950)] })).toBe(true);
    expect(promotes({ texts: [after(6_000)] })).toBe(false);
  });

  it.each(['https://', 'https://a?b=c&', 'buy it ', '%20', 'limited '])(
    'found in linear time in a text of %j',
    async (part) => {
      const growth = await growthOf((size) => void promotes({ texts: [part.repeat(size)] }), 500);
      expect(growth).toBeLessThan(3);
    },
  );
});
