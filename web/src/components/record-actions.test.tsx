// @vitest-environment happy-dom
import { show } from '../testing/page.tsx';
import { screen, waitFor } from '@testing-library/react';
import { type ComponentProps, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { RecordActions } from './record-actions.tsx';

const words = { pause: 'Pause', resume: 'Resume', edit: 'Edit', delete: 'Delete' };

/** A record that its actions pause and resume. */
function Paused(given: Partial<ComponentProps<typeof RecordActions>>) {
  const [isActive, setActive] = useState(true);
  return (
    <RecordActions
      words={words}
      id="one"
      name="Batteries"
      isActive={isActive}
      deleted="Deleted Batteries"
      action={{ text: 'Test', run: () => Promise.resolve() }}
      form={(onClose) => <button onClick={onClose}>Close the form</button>}
      onToggle={() => Promise.resolve(setActive(!isActive))}
      onDelete={() => Promise.resolve()}
      {...given}
    />
  );
}

describe('the actions of a record', () => {
  it('pause and resume it with one button, which keeps the focus', async () => {
    const user = await show(<Paused />);
    const button = screen.getByRole('button', { name: 'Pause: Batteries' });
    button.focus();
    await user.keyboard('{Enter}');
    await screen.findByRole('button', { name: 'Resume: Batteries' });
    expect(document.activeElement).toBe(button);
    expect(button.textContent).toBe('Resume');
  });

  it('run once at a time, without taking the focus from the button', async () => {
    let end = (): void => undefined;
    const run = vi.fn(() => new Promise<void>((resolve) => (end = resolve)));
    const user = await show(<Paused action={{ text: 'Test', run }} />);
    const button = screen.getByRole('button', { name: 'Test: Batteries' });
    await user.click(button);
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
    await user.click(button);
    expect(document.activeElement).toBe(button);
    expect(run).toHaveBeenCalledOnce();
    end();
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe(null));
  });

  it('say why one was refused', async () => {
    const run = () => Promise.reject(new TypeError('Failed to fetch'));
    const user = await show(<Paused action={{ text: 'Test', run }} />);
    await user.click(screen.getByRole('button', { name: 'Test: Batteries' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The service cannot be reached/);
  });

  it('return the focus to their menu after a choice by the keyboard', async () => {
    const user = await show(<Paused isMenu />);
    const menu = screen.getByLabelText('Actions: Batteries');
    await user.click(menu);
    screen.getByText('Pause').focus();
    await user.keyboard('{Enter}');
    await screen.findByText('Resume');
    expect(document.activeElement).toBe(menu);
    expect(menu.closest('details')!.open).toBe(false);
  });

  it('open and close the form that changes it', async () => {
    const user = await show(<Paused />);
    await user.click(screen.getByRole('button', { name: 'Edit: Batteries' }));
    await user.click(screen.getByText('Close the form'));
    expect(screen.queryByText('Close the form')).toBe(null);
  });
});
