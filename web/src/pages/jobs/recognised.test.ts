import { expect, it } from 'vitest';
import { jobsTexts } from '../../texts/jobs.ts';

it('a recognised address names its source once', () => {
  const { recognised } = jobsTexts.form;
  expect(recognised('Hacker News: ask', 'Hacker News')).toBe('Recognised: Hacker News, ask');
  expect(recognised('technology', 'Reddit')).toBe('Recognised: technology (Reddit)');
});
