// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { keepDateChoice, readDateChoice } from './date-choice.ts';

afterEach(() => localStorage.clear());
const none = { timeZone: null, hours: null, language: null, order: null };

describe('the choice of dates in a browser', () => {
  it('is kept', () => {
    const choice = { timeZone: 'Asia/Tokyo', hours: 'h12', language: 'own', order: 'en-GB' } as const;
    keepDateChoice(choice);
    expect(readDateChoice()).toEqual(choice);
  });

  it.each([
    '',
    'x',
    'null',
    '[]',
    '{"timeZone":"Mars/Base","hours":"h99","order":7,"language":"tlh"}',
    '{"timeZone":{}}',
  ])('is none where %j is stored', (stored) => {
    localStorage.setItem('dates', stored);
    expect(readDateChoice()).toEqual(none);
  });
});
