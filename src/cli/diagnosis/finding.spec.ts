import { reasonOf } from './finding.js';

it.each([
  [new Error('first line\nsecond line'), 'first line'],
  [Object.assign(new Error('one'), { code: 'ECODE' }), 'one'],
  [Object.assign(new Error(''), { code: 'ECODE' }), 'ECODE'],
  [undefined, 'no answer'],
])('the reason of %p is %s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
