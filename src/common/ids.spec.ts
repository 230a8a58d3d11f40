import { ID_PREFIXES, isPublicId, parseId } from './ids.js';

const ID = '0b4c2d6e-1f2a-4b3c-8d4e-5f6a7b8c9dab';

describe('parseId', () => {
  it.each([
    [ID, ID],
    [`job_${ID}`, ID],
    // The database writes ids in lower case, and keys, rows and cursors are compared with them.
    [`job_${ID.toUpperCase()}`, ID],
    [`alert_${ID}`, null],
    [`JOB_${ID}`, null],
    [`${ID}0`, null],
    ['', null],
  ])('reads %j as %j', (text, id) => {
    expect(parseId('job', text)).toBe(id);
  });
});

describe('isPublicId', () => {
  it.each(Object.values(ID_PREFIXES))('knows the prefix %s', (prefix) => {
    expect(isPublicId(`${prefix}_${ID}`)).toBe(true);
  });

  it.each([ID, `t3_${ID}`, `_${ID}`, `job_${ID}_a`, 'job_1', 't3_1abc', ''])('is false for %j', (text) => {
    expect(isPublicId(text)).toBe(false);
  });
});
