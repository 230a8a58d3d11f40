import { statedWait } from './stated-wait.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('the wait that a refusal states', () => {
  it.each([
    ['{"errors":["Please wait"],"error_type":"rate_limit","extras":{"wait_seconds":24}}', 24_000],
    ['{"wait_seconds":"7"}', 7_000],
    ['{"error_message":"too many requests, more requests available in 33635 seconds"}', 33_635_000],
    ["Slow down, you're making too many requests.\nPlease retry again in 10 seconds.", 10_000],
    ['Please wait 2 minutes before trying again.', 120_000],
    ['{"wait_seconds":99999999}', 86_400_000],
    ['Please wait 999999 hours before trying again.', 86_400_000],
    ['{"wait_seconds":1772366430000}', 30_000],
    ['{"wait_seconds":1e30}', null],
    ['{"wait_seconds":-1}', null],
    ['Too many requests', null],
    ['', null],
  ])('of %s is %s ms', (text, wait) => {
    expect(statedWait(text, NOW)).toBe(wait);
  });
});
