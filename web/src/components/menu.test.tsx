// @vitest-environment happy-dom
import { show } from '../testing/page.tsx';
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { Button } from './controls.tsx';
import { Menu } from './menu.tsx';

describe('a menu', () => {
  async function menu() {
    const chosen = vi.fn();
    const user = await show(
      <>
        <Menu label="Actions" name="Actions of one">
          <Button onClick={chosen}>Pause</Button>
          <Button onClick={chosen}>Delete</Button>
        </Menu>
        <p>Elsewhere</p>
        <button type="button">After</button>
      </>,
    );
    const summary = screen.getByLabelText('Actions of one');
    return { user, chosen, summary, isOpen: () => summary.closest('details')!.open };
  }

  it('opens by a click and closes by a choice, which returns the focus to it', async () => {
    const { user, chosen, summary, isOpen } = await menu();
    expect(isOpen()).toBe(false);
    await user.click(summary);
    expect(isOpen()).toBe(true);
    await user.click(screen.getByText('Pause'));
    expect(chosen).toHaveBeenCalledOnce();
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(summary);
  });

  it('chooses by the keyboard', async () => {
    const { user, chosen, summary, isOpen } = await menu();
    await user.click(summary);
    await user.tab();
    await user.tab();
    expect(document.activeElement).toBe(screen.getByText('Delete'));
    await user.keyboard('{Enter}');
    expect(chosen).toHaveBeenCalledOnce();
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(summary);
  });

  it('closes by Escape, without a choice', async () => {
    const { user, chosen, summary, isOpen } = await menu();
    await user.click(summary);
    await user.tab();
    await user.keyboard('{Escape}');
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(summary);
    expect(chosen).not.toHaveBeenCalled();
  });

  it('closes by a click elsewhere', async () => {
    const { user, summary, isOpen } = await menu();
    await user.click(summary);
    await user.click(screen.getByText('Elsewhere'));
    expect(isOpen()).toBe(false);
  });

  it('closes when the focus leaves it', async () => {
    const { user, summary, isOpen } = await menu();
    await user.click(summary);
    await user.tab();
    await user.tab();
    expect(isOpen()).toBe(true);
    await user.tab();
    expect(document.activeElement).toBe(screen.getByText('After'));
    expect(isOpen()).toBe(false);
  });
});
