// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { distinctKeywords } from '../components/distinct-keywords.ts';
import { textBelow, titleOf } from '../components/text-below.ts';
import { foldMatches, type Match } from './matches.ts';

const match = (id: string, alert_id: string, text: object): Match => ({ id, alert_id, ...text }) as Match;

it('mentions of one text by several alerts are one', () => {
  const post = { post: { id: 't3_1' } };
  const comment = { post: { id: 't3_1' }, comment: { comment_id: 't1_1' } };
  const folded = foldMatches([
    match('1', 'a', post),
    match('2', 'a', comment),
    match('3', 'b', post),
    match('4', 'b', {}),
    match('5', 'b', {}),
  ]);
  expect(folded.map(({ id, others }) => [id, ...(others ?? []).map((other) => other.id)])).toEqual([
    ['1', '3'],
    ['2'],
    ['4'],
    ['5'],
  ]);
});

it('a post of a source without titles shows its text once', () => {
  const post = { title: 'The battery  lasts …', selftext: 'The battery lasts a week.\nReally.' };
  expect([titleOf(post), textBelow(post)]).toEqual([post.selftext, '']);
  const titled = { title: 'Battery', selftext: 'It lasts a week.' };
  expect([titleOf(titled), textBelow(titled)]).toEqual(['Battery', 'It lasts a week.']);
  expect(titleOf({ title: 'Battery', selftext: '' })).toBe('Battery');
});

it('keywords leave out the words of the query, and parts and extensions of phrases before them', () => {
  const keywords = ['helix systems', 'helix', 'systems', 'router price', 'helix systems router', 'price'];
  const found = distinctKeywords(
    keywords.map((keyword) => ({ keyword })),
    'helix',
  );
  expect(found.map(({ keyword }) => keyword)).toEqual(['helix systems', 'router price']);
});
