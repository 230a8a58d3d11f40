import { expect, it } from 'vitest';
import { beforeLastName } from './last-name.ts';

it('keeps the names before the last one', () => {
  expect(['', 'tech', 'science,', 'science, te', 'a,b , c'].map(beforeLastName)).toEqual([
    '',
    '',
    'science, ',
    'science, ',
    'a,b , ',
  ]);
});
