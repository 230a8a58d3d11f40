import { CronExpressionError, parseExpression } from './expression.js';

const refusalOf = (expression: string): string => {
  try {
    parseExpression(expression);
  } catch (error) {
    if (error instanceof CronExpressionError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('the cron dialect', () => {
  it.each([
    '* * * * *',
    '*/5 * * * *',
    '0,30 9-17 * * mon-fri',
    '0 0 1 JAN,jul *',
    '5/15 * * * *',
    '0 0 * * 7',
    '0 0 31 2 1',
    ' 0  12 * * * ',
    '0 0 29 2 *',
    '@Daily',
  ])('accepts %j', (expression) => {
    expect(refusalOf(expression)).toBe('accepted');
  });

  it.each([
    ['@hourly', '0 * * * *'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@weekly', '0 0 * * sun'],
    ['@monthly', '0 0 1 * *'],
    ['@yearly', '0 0 1 jan *'],
    ['@annually', '0 0 1 jan *'],
  ])('expands %s to %s', (nickname, fields) => {
    expect(parseExpression(nickname)).toEqual(parseExpression(fields));
  });

  it.each([
    ['mon-sun', '1-7'],
    ['sat-sun', '6-7'],
    ['FRI-SUN', '5-7'],
    ['4-Sun,1', '4-7,1'],
    ['mon-sun/2', '1-7/2'],
    ['sun-sun', '0'],
    ['sun-tue', '0-2'],
  ])('reads the days %s as %s', (days, numbers) => {
    const daysOf = (field: string) => parseExpression(`0 0 * * ${field}`).daysOfWeek;
    expect(daysOf(days)).toEqual(daysOf(numbers));
  });

  it.each([
    ['60 * * * *', 'minute field "60" is not valid; it takes 0-59 as values,'],
    ['5 24 L 13 *', 'hour field "24" is not valid; it takes 0-23 as values,'],
    ['* 24 * * *', 'hour field "24"'],
    ['* * 0 * *', 'day of month field "0"'],
    ['* * * 13 *', 'month field "13"'],
    ['* * * * 8', 'day of week field "8"'],
    ['* * * foo *', 'month field "foo"'],
    ['*/0 * * * *', 'minute field "*/0"'],
    ['30-10 * * * *', 'minute field "30-10"'],
    ['1,,2 * * * *', 'minute field "1,,2"'],
    ['1.5 * * * *', 'minute field "1.5"'],
    ['-1 * * * *', 'minute field "-1"'],
    ['* * L * *', 'day of month field "L"'],
    ['* * ? * *', 'day of month field "?"'],
    ['* * * * 1#2', 'day of week field "1#2"'],
    ['* * * * 5L', 'day of week field "5L"'],
    ['H * * * *', 'minute field "H"'],
    ['0 0 31 2 *', 'no date ever matches day of month "31" in month "2"'],
    ['0 0 31 4,6 *', 'no date ever matches'],
    ['* * * *', 'five fields are required'],
    ['0 * * * * *', 'five fields are required'],
    ['', 'five fields are required'],
    ['@reboot', '"@reboot" is not a known shortcut'],
    ['@secondly', '"@secondly" is not a known shortcut'],
    ['@toString', '"@toString" is not a known shortcut'],
  ])('rejects %j and reports what is wrong', (expression, words) => {
    expect(refusalOf(expression)).toContain(words);
  });
});
