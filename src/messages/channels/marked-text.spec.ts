import type { NotifiedPost } from './channel.js';
import { contextOf, titleOf } from './marked-text.js';
import { escapeHtml } from './message-text.js';

const MARKUP = { escape: escapeHtml, open: '[', close: ']' };
const post = (extra: Partial<NotifiedPost>): NotifiedPost => ({
  id: 't3_abc',
  title: '',
  forum: 'technology',
  author: 'ann',
  permalink: '/',
  selftext: '',
  ...extra,
});
const context = (selftext: string): string =>
  contextOf(post({ selftext: 'unused', highlights: { selftext } }), MARKUP);

describe('the context of a match', () => {
  it.each([
    ['a <mark>b</mark> c <mark>d</mark>', 'a [b] c [d]'],
    ['<mark>b</mark> c', '[b] c'],
    ['1 &lt; 2 &amp; <mark>&quot;b&quot;</mark>', '1 &lt; 2 &amp; [&quot;b&quot;]'],
    ['a\n\nb <mark>c</mark>\n', 'a b [c]'],
    [`${'long '.repeat(20)}<mark>b</mark> c`, `…${'long '.repeat(6)}[b] c`],
    [`<mark>b</mark> ${'c'.repeat(200)}`, `[b] ${'c'.repeat(93)}…`],
  ])('of %j is %j', (highlight, expected) => {
    expect(context(highlight)).toBe(expected);
  });

  it('is the beginning of a text in which no word matched', () => {
    expect(contextOf(post({ selftext: 'x'.repeat(200) }), MARKUP)).toBe(`${'x'.repeat(95)}…`);
    expect(contextOf(post({}), MARKUP)).toBe('');
  });
});

describe('the title of a match', () => {
  const title = 'Rust & go';
  const highlights = { title: '<mark>Rust</mark> &amp; go' };

  it('has the words marked, unless they do not fit', () => {
    expect(titleOf(post({ title, highlights }), 20, MARKUP)).toBe('[Rust] &amp; go');
    expect(titleOf(post({ title, highlights }), 14, MARKUP)).toBe('Rust &amp; go');
  });

  it('says when there is none', () => {
    expect(titleOf(post({ title: ' \n' }), 20, MARKUP)).toBe('Untitled');
  });
});
