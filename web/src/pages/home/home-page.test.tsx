// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../testing/page.tsx';
import { answer } from '../../testing/service.ts';
import { HomePage } from './home-page.tsx';

const never = (): Promise<[number, unknown]> => new Promise(() => undefined);

it('shows a skeleton until it is known what is above the newest mentions', async () => {
  for (const path of ['/usage', '/alerts', '/schedules', '/trends/pins']) answer(`GET ${path}`, never);
  await show(<HomePage />);
  await screen.findAllByRole('status');
  const isShown = (element: HTMLElement) => element.closest('.invisible') === null;
  expect(screen.getAllByRole('status').filter(isShown)).toHaveLength(1);
  expect(isShown(screen.getByText('Newest mentions'))).toBe(false);
});
