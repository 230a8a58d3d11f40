import { DataSet } from '../data/data-set.js';
import { kindOf, linkOf, ownership, permalinkOf, quoted, titleAndBody } from './post-facts.js';

describe('generated posts', () => {
  const data = new DataSet();
  const forum = data.forum('technology')!;
  const indexes = Array.from({ length: 2_000 }, (_, index) => index);

  it('repeat links of the twelve previous posts', () => {
    const distances = indexes.flatMap((index) => {
      const link = linkOf(forum, index, data);
      const { title } = titleAndBody(forum, index, 'link', data);
      expect(link.endsWith('?utm_source=share')).toBe(title.endsWith(' (repost)'));
      return title.endsWith(' (repost)') ? [index - Number(/technology\/(\d+)\//.exec(link)![1])] : [];
    });
    expect([distances.length > 20, Math.min(...distances), Math.max(...distances)]).toEqual([true, 1, 12]);
  });

  it('are crossposts of older posts of other forums, or links where there is none', () => {
    const crossposts = indexes.filter((index) => data.kind(forum, index) === 'crosspost');
    const kinds = crossposts.map((index) => {
      const shown = quoted(forum, index, data);
      if (shown !== null) {
        expect(shown.forum).not.toBe(forum);
        expect(data.createdAt(shown.forum, shown.index)).toBeLessThan(data.createdAt(forum, index));
      }
      const kind = kindOf(forum, index, data);
      expect(kind === 'crosspost').toBe(shown !== null);
      expect(kindOf(forum, index, data, false)).toBe('link');
      return kind;
    });
    expect(new Set(kinds)).toEqual(new Set(['crosspost', 'link']));
  });

  it('are text posts when pinned, whatever their kind was', () => {
    const [pinned] = data.stickies(forum);
    expect(kindOf(forum, pinned!, data)).toBe('self');
    expect(titleAndBody(forum, pinned!, 'self', data).title).toBe('Weekly thread: ask r/technology anything');
    expect(permalinkOf(forum, pinned!, data)).toMatch(
      /^\/r\/technology\/comments\/\w+\/weekly_thread_ask_r_?technology_anything\/$/,
    );
  });

  it('lose their author or content after a removal', () => {
    const shown = indexes.map((index) => ({ ...ownership(forum, index, 'text', data), index }));
    for (const { index, author, text, removedBy } of shown) {
      const [isRemoved, isKept] = [removedBy === 'moderator', removedBy === null];
      expect(isRemoved).toBe(data.isRemoved(forum, index));
      expect(text).toBe(isKept ? 'text' : isRemoved ? '[removed]' : '[deleted]');
      if (removedBy === 'deleted') expect(author).toBeNull();
      expect(ownership(forum, index, '', data).text).toBe('');
    }
    const withoutAuthor = shown.filter(({ author }) => author === null).map(({ removedBy }) => removedBy);
    expect(new Set(withoutAuthor)).toEqual(new Set(['deleted', null]));
  });
});
