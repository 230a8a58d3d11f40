import { describe, expect, it } from 'vitest';
import { searchAsQuery } from './search-as-query.ts';
import type { SearchState } from './search-state.ts';

const query = (state: SearchState): string => searchAsQuery(state).query;

describe('a search as a query', () => {
  it('leaves a query without filters as it is', () => {
    expect(query({ q: 'battery OR (fuel -"hydrogen' })).toBe('battery OR (fuel -"hydrogen');
  });

  it('keeps the words together when filters follow', () => {
    expect(query({ q: 'battery OR fuel', forum: 'technology' })).toBe('(battery OR fuel) forum:technology');
    expect(query({ q: 'battery fuel', forum: 'technology' })).toBe('battery fuel forum:technology');
  });

  it('closes what the words leave open, so that filters stay filters', () => {
    expect(query({ q: '(battery -"solid state', author: 'ann' })).toBe(
      '((battery -"solid state")) author:ann',
    );
    expect(query({ q: 'a OR b) c', author: 'ann' })).toBe('((a OR b) c) author:ann');
  });

  it('writes several values of a facet as alternatives, and excluded ones as exclusions', () => {
    expect(query({ forum: ['a', 'b', '!hn:story'], sentiment: '!negative' })).toBe(
      '(forum:a OR forum:b) -forum:hn:story -sentiment:negative',
    );
  });

  it('quotes values that are not one word', () => {
    expect(query({ flair: 'Help wanted', author: 'ann*', keyword: '(x)' })).toBe(
      'flair:"Help wanted" keyword:"(x)" author:"ann*"',
    );
  });

  it('writes numbers, properties and the whole last day', () => {
    expect(
      query({ min_score: '10', max_score: '-1', min_comments: '5', has_media: 'true', is_nsfw: 'false' }),
    ).toBe('score:>=10 score:<=-1 comments:>=5 has:media -is:nsfw');
    expect(query({ from: '2026-03-01', to: '2026-03-01' })).toMatch(
      /^after:2026-0[23]-\d\dT?[\d:Z]* before:2026-03-0[12]T?[\d:Z]*$/,
    );
  });

  it('names the filters that the language cannot express', () => {
    expect(searchAsQuery({ of: 'comments', post_id: 't3_a', author: 'a"b' })).toEqual({
      query: '',
      left: ['post_id', 'author'],
    });
  });
});
