// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { readDateChoice } from '../../date-choice.ts';
import { Dates } from './dates.tsx';

afterEach(() => localStorage.clear());

it('keeps the time zone, hours and order of dates in this browser, and loads the page again', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  const user = await show(<Dates />, 'read');
  await user.selectOptions(screen.getByLabelText('Time zone'), 'Asia/Tokyo');
  await user.selectOptions(screen.getByLabelText('Hours'), '24 hours, 21:30');
  await user.selectOptions(screen.getByLabelText('Order'), '21 Nov 2026');
  expect(readDateChoice().timeZone).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(readDateChoice()).toEqual({
    timeZone: 'Asia/Tokyo',
    hours: 'h23',
    language: null,
    order: 'en-GB',
  });
  expect(reload).toHaveBeenCalledOnce();
  await user.selectOptions(screen.getByLabelText('Time zone'), 'As this browser');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(readDateChoice().timeZone).toBeNull();
  // Each language has its own order.
  await user.selectOptions(screen.getByLabelText('Language'), 'As this browser');
  expect(screen.queryByLabelText('Order')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(readDateChoice().language).toBe('own');
});
