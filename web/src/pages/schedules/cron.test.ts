import { expect, it, vi } from 'vitest';
import { type CronFields, nextCronTimes, readCron } from './cron.ts';
import { describeCron, problemWords } from './cron-words.ts';

// A reader whose clocks have 24 hours.
vi.hoisted(() => vi.stubGlobal('navigator', { language: 'en-GB' }));

function fieldsOf(expression: string): CronFields {
  const read = readCron(expression);
  if ('problem' in read) throw new Error(problemWords(read.problem));
  return read.fields;
}

it.each([
  ['0 9 * * 1-5', 'Monday to Friday at 09:00'],
  ['0 9 * * MON-FRI', 'Monday to Friday at 09:00'],
  ['30 8,17 * * *', 'Every day at 08:30 and 17:30'],
  ['*/10 * * * *', 'Every 10 minutes'],
  ['1,2 * * * *', 'At minutes 1 and 2 of every hour'],
  ['15 * * * *', 'Every hour at minute 15'],
  ['*/15 9-17 * * 1-5', 'Monday to Friday every 15 minutes from 09:00 to 17:59'],
  ['0 */6 * * *', 'Every day at 00:00, 06:00, 12:00 and 18:00'],
  ['0 0 1,15 * *', 'On day 1 and 15 of every month at 00:00'],
  ['0 0 1 1 *', 'Every year on January 1 at 00:00'],
  ['0 12 * 6-8 0', 'Every Sunday at 12:00 in June to August'],
  ['0 0 13 * 5', 'On day 13 of every month or every Friday at 00:00'],
  ['0 9 * * 7', 'Every Sunday at 09:00'],
  ['@hourly', 'Every hour'],
  ['@daily', 'Every day at 00:00'],
  ['@MIDNIGHT', 'Every day at 00:00'],
  ['@weekly', 'Every Sunday at 00:00'],
  ['@monthly', 'On day 1 of every month at 00:00'],
  ['@yearly', 'Every year on January 1 at 00:00'],
  ['@annually', 'Every year on January 1 at 00:00'],
])('reads %s as "%s"', (expression, sentence) => {
  expect(describeCron(fieldsOf(expression))).toBe(sentence);
});

it.each([
  ['99 * * * *', 'The minute "99" is not valid. It takes 0–59, ranges (1-5), lists (1,3) and steps (*/10).'],
  ['* * * *', 'Five fields are needed (minute, hour, day, month, weekday); there are 4.'],
  ['@fortnightly', 'Known shortcuts are @hourly, @daily, @weekly, @monthly and @yearly.'],
])('says what is wrong with %s', (expression, message) => {
  const read = readCron(expression);
  expect('problem' in read && problemWords(read.problem)).toBe(message);
});

it.each(['5-1 * * * *', '*/0 * * * *', '* 24 * * *', '* * 0 * *', '* * * foo *', 'L * * * *', '1- * * * *'])(
  'refuses %s',
  (expression) => {
    expect('problem' in readCron(expression)).toBe(true);
  },
);

it('finds the next times by the clocks of a zone, across a change of clocks', () => {
  const times = nextCronTimes(fieldsOf('0 9 * * 1-5'), 'Europe/Berlin', 2, new Date('2026-10-23T08:00:00Z'));
  expect(times.map((time) => time.toISOString())).toEqual([
    '2026-10-26T08:00:00.000Z',
    '2026-10-27T08:00:00.000Z',
  ]);
});

it('finds leap days, and nothing for a date that never comes', () => {
  const now = new Date('2026-11-27T00:00:00Z');
  expect(nextCronTimes(fieldsOf('0 0 29 2 *'), 'UTC', 1, now)[0]!.toISOString()).toBe(
    '2028-02-29T00:00:00.000Z',
  );
  expect(nextCronTimes(fieldsOf('0 0 31 2 *'), 'UTC', 1, now)).toEqual([]);
});
