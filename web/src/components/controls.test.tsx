// @vitest-environment happy-dom
import { show } from '../testing/page.tsx';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Button, Select, TextField } from './controls.tsx';

it('a disabled button does nothing and keeps the focus', async () => {
  const clicked = vi.fn();
  const submitted = vi.fn((event: React.FormEvent) => event.preventDefault());
  const user = await show(
    <form onSubmit={submitted}>
      <Button type="submit" disabled onClick={clicked}>
        Save
      </Button>
    </form>,
  );
  const button = screen.getByRole('button', { name: 'Save' });
  await user.click(button);
  expect(document.activeElement).toBe(button);
  await user.keyboard('{Enter}');
  expect([clicked, submitted].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

it('a field is described by its hint, and by its error in place of it', async () => {
  const field = (error?: string) => (
    <TextField label="Name" hint="A hint" error={error} onChange={() => undefined} />
  );
  await show(
    <>
      {field()}
      {field('Wrong')}
    </>,
  );
  const [plain, wrong] = screen.getAllByLabelText('Name');
  const noteOf = (one: HTMLElement) =>
    document.getElementById(one.getAttribute('aria-describedby')!)?.textContent;
  expect([noteOf(plain!), noteOf(wrong!)]).toEqual(['A hint', 'Wrong']);
  expect([plain!, wrong!].map((one) => one.getAttribute('aria-invalid'))).toEqual([null, 'true']);
});

it('a choice tells the chosen value', async () => {
  const onChange = vi.fn();
  const options = [
    ['', 'Any'],
    ['a', 'First'],
  ] as const;
  const user = await show(<Select aria-label="Kind" value="" options={options} onChange={onChange} />);
  await user.selectOptions(screen.getByLabelText('Kind'), 'First');
  expect(onChange.mock.calls).toEqual([['a']]);
});
