import { describe, expect, it } from 'vitest';
import {
  applied,
  facetOfField,
  fieldSuggestions,
  queryOfBeginning,
  typedAt,
  valueSuggestions,
} from './suggestions.ts';

const atEnd = (query: string) => typedAt(query, query.length);
const texts = (query: string): string[] => fieldSuggestions(atEnd(query)!).map(({ text }) => text);

describe('what is being typed', () => {
  it.each([
    ['bat', { start: 0, end: 3, field: null, text: 'bat' }],
    ['solar au', { start: 6, end: 8, field: null, text: 'au' }],
    ['solar (Author:an', { start: 7, end: 16, field: 'author', text: 'an' }],
    ['-forum:te', { start: 1, end: 9, field: 'forum', text: 'te' }],
    ['flair:"Help wa', { start: 0, end: 14, field: 'flair', text: 'Help wa' }],
    ['', { start: 0, end: 0, field: null, text: '' }],
  ])('in %j is its end', (query, typed) => {
    expect(atEnd(query)).toEqual(typed);
  });

  it('is nothing within a phrase, and ends with the quotation mark after the caret', () => {
    expect(atEnd('"solid sta')).toBeNull();
    expect(typedAt('flair:"He" x', 9)).toEqual({ start: 0, end: 10, field: 'flair', text: 'He' });
  });
});

describe('suggestions', () => {
  it('are the fields of the query language that begin so, from two letters on', () => {
    expect(texts('au')).toEqual(['author:']);
    expect(texts('-SE')).toEqual(['sentiment:']);
    expect(texts('a')).toEqual([]);
    expect(texts('author:fo')).toEqual([]);
  });

  it('are values that contain the text: those that begin so first, then by count', () => {
    const values = [
      { value: 'energy tech', count: 9 },
      { value: 'technology', count: 5 },
      { value: 'technics', count: 7 },
      { value: 'a "tech"', count: 4 },
      { value: 'chess', count: 99 },
    ];
    expect(valueSuggestions(atEnd('forum:Tech')!, values)).toEqual([
      { text: 'forum:technics ', meaning: 7 },
      { text: 'forum:technology ', meaning: 5 },
      { text: 'forum:"energy tech" ', meaning: 9 },
    ]);
  });

  it('replace what is being typed, and nothing else', () => {
    const query = 'solar au wind';
    expect(applied(query, typedAt(query, 8)!, { text: 'author:', meaning: '' })).toEqual({
      query: 'solar author: wind',
      caret: 13,
    });
    expect(applied('-forum:te x', typedAt('-forum:te x', 9)!, { text: 'forum:tech ', meaning: 1 })).toEqual({
      query: '-forum:tech x',
      caret: 12,
    });
  });

  it('have values where facets count them, also those that begin so where that can be searched', () => {
    expect(facetOfField('lang')).toBe('language');
    expect(facetOfField('score')).toBeUndefined();
    expect(facetOfField('constructor')).toBeUndefined();
    expect(queryOfBeginning('author', 'an')).toBe('author:an*');
    expect(queryOfBeginning('keyword', 'an')).toBeUndefined();
    expect(queryOfBeginning('author', 'a n')).toBeUndefined();
  });
});
