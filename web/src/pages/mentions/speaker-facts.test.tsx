// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { SpeakerFacts } from './speaker-facts.tsx';

const SPEAKER = {
  posts: 1,
  comments: 200,
  first_seen_at: '2026-01-02T00:00:00Z',
  active_days: 1,
  promotional_share: 0.25,
};

it('says how much the author of a mention writes and promotes', () => {
  const { container } = render(<SpeakerFacts speaker={SPEAKER} />);
  const [counts, promotion] = container.querySelectorAll('span');
  expect(counts?.textContent).toBe('1 post, 200+ comments here');
  expect(counts?.title).toMatch(/^Since .*2026, on 1 day$/);
  expect(promotion?.textContent).toBe('25% promotion');
});

it('leaves out what the author does not write', () => {
  const { container } = render(<SpeakerFacts speaker={{ ...SPEAKER, posts: 0, promotional_share: 0 }} />);
  expect(container.textContent).toBe('200+ comments here');
});
