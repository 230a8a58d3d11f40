// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ScheduleForm } from './schedule-form.tsx';

// A reader whose clocks have 24 hours.
vi.hoisted(() => Object.defineProperty(navigator, 'language', { value: 'en-GB' }));

describe('the times of a schedule', () => {
  async function withExpression(expression: string) {
    const user = await show(<ScheduleForm schedule={null} onClose={() => undefined} />);
    await user.click(screen.getByLabelText('Forum or user name'));
    await user.paste('technology');
    await user.selectOptions(screen.getByLabelText('Repeat'), 'Cron expression');
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Cron expression' });
    await user.clear(field);
    await user.paste(expression);
    return { user, field };
  }
  const create = (): HTMLElement => screen.getByRole('button', { name: 'Create' });

  it('say at the field what is wrong with an expression, which cannot be sent', async () => {
    const { user, field } = await withExpression('99 * * * *');
    expect(screen.getByText(/^The minute "99" is not valid\./).id).toBe(
      field.getAttribute('aria-describedby'),
    );
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(create().getAttribute('aria-disabled')).toBe('true');
    await user.click(create());
    await user.click(field);
    await user.keyboard('{Enter}');
    expect(sent.filter(({ operation }) => operation === 'POST /schedules')).toEqual([]);
  });

  it('are shown in words as soon as the expression is valid', async () => {
    const { user, field } = await withExpression('99 * * * *');
    await user.clear(field);
    await user.paste('0 9 * * 1-5');
    expect(screen.getByText('Monday to Friday at 09:00')).toBeTruthy();
    expect(field.getAttribute('aria-invalid')).toBe(null);
    expect(create().getAttribute('aria-disabled')).toBe(null);
  });

  it('keep at least one day of the week', async () => {
    const user = await show(<ScheduleForm schedule={null} onClose={() => undefined} />);
    await user.selectOptions(screen.getByLabelText('Repeat'), 'Every week');
    const monday = screen.getByRole('button', { name: 'Monday' });
    expect(monday.getAttribute('aria-pressed')).toBe('true');
    await user.click(monday);
    expect(monday.getAttribute('aria-pressed')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Friday' }));
    await user.click(monday);
    await waitFor(() => expect(monday.getAttribute('aria-pressed')).toBe('false'));
  });
});
