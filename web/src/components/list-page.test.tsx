// @vitest-environment happy-dom
import { show } from '../testing/page.tsx';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { UndoBar } from '../layout/undo-bar.tsx';
import { ListPage } from './list-page.tsx';

const words = {
  title: 'Alerts',
  create: 'Create an alert',
  empty: 'No alerts yet.',
  emptyHint: 'A hint',
  example: { name: 'An example', details: 'Details' },
};

describe('a page of records', () => {
  const bulk = {
    setActive: vi.fn(() => Promise.resolve()),
    remove: vi.fn(() => Promise.resolve()),
    refresh: () => Promise.resolve(),
    deleted: (count: string) => `Deleted ${count}`,
  };
  const page = (names: readonly string[]) => (
    <>
      <ListPage
        words={words}
        query={{ data: names.map((id) => ({ id })), error: null, refetch: () => undefined }}
        creating
        form={<p>The form</p>}
        bulk={bulk}
        nameOf={({ id }) => id}
        onCreate={() => undefined}
      >
        {({ id }, checkbox) => (
          <li key={id}>
            {checkbox} {id}
          </li>
        )}
      </ListPage>
      <UndoBar />
    </>
  );

  it('pauses those that are chosen, and only those', async () => {
    const user = await show(page(['one', 'two', 'three']));
    await user.click(screen.getByLabelText('Select: three'));
    await user.click(screen.getByLabelText('Select: one'));
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    await waitFor(() => expect(bulk.setActive.mock.calls).toHaveLength(2));
    expect(bulk.setActive.mock.calls).toEqual([
      [{ id: 'one' }, false],
      [{ id: 'three' }, false],
    ]);
  });

  it('chooses all and none with one checkbox', async () => {
    const user = await show(page(['one', 'two']));
    const all = screen.getByLabelText('Select all 2');
    await user.click(all);
    expect(screen.getByLabelText<HTMLInputElement>('Select: two').checked).toBe(true);
    await user.click(all);
    expect(screen.queryByRole('button', { name: 'Pause' })).toBe(null);
  });

  it('takes a deletion back before anything is sent', async () => {
    const user = await show(page(['one', 'two', 'three']));
    await user.click(screen.getByLabelText('Select: two'));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(screen.queryByLabelText('Select: two')).toBe(null);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(screen.getByLabelText<HTMLInputElement>('Select: two').checked).toBe(false);
    expect(bulk.remove).not.toHaveBeenCalled();
  });

  it('offers a reader no choice, no button and no form', async () => {
    await show(page(['one', 'two']), 'read');
    expect(screen.queryAllByRole('checkbox')).toEqual([]);
    expect(screen.queryAllByRole('button')).toEqual([]);
    expect(screen.queryByText('The form')).toBe(null);
  });

  it('says what an empty list is for, with the button in its middle only', async () => {
    await show(page([]));
    expect(screen.getByText('No alerts yet.')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'Create an alert' })).toHaveLength(1);
  });
});
