import { expect, it } from 'vitest';
import { draftOf } from './alert-draft.ts';

it('names an alert by the beginning of its query, cut between characters', () => {
  const query = `${'x'.repeat(254)}😀`;
  expect(draftOf(null, { query }).name).toBe('x'.repeat(254));
  expect(draftOf(null, { query: `${'x'.repeat(253)}😀y` }).name).toBe(`${'x'.repeat(253)}😀`);
});
