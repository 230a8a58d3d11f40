// @vitest-environment happy-dom
import { Opening, show } from '../testing/page.tsx';
import { answer, refusal, sent } from '../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { StartJob } from '../pages/jobs/start-job.tsx';

const target = (): HTMLInputElement => screen.getByLabelText('Forum or user name');
const button = (name: string): HTMLElement => screen.getByRole('button', { name });
const started = () => sent.filter(({ operation }) => operation === 'POST /jobs');

/** The form that starts a job stands for all forms in dialogs. */
async function form() {
  const user = await show(
    <Opening>{(onClose) => <StartJob onClose={onClose} onStarted={onClose} />}</Opening>,
  );
  await user.click(button('Open'));
  return user;
}

describe('a form in a dialog', () => {
  it('gives the focus to its first field', async () => {
    await form();
    await waitFor(() => expect(document.activeElement).toBe(target()));
  });

  it('says at each field what is missing or out of range, before anything is sent', async () => {
    const user = await form();
    await user.clear(screen.getByLabelText('Maximum posts'));
    await user.type(screen.getByLabelText('Maximum posts'), '0');
    await user.click(button('Start'));
    expect(target().getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('Fill in this field.').id).toBe(target().getAttribute('aria-describedby'));
    expect(screen.getByText('Enter a number from 1 to 10000.')).toBeTruthy();
    expect(document.activeElement).toBe(target());
    expect(started()).toEqual([]);
  });

  it('takes a message away with its cause, and no other', async () => {
    const user = await form();
    await user.clear(screen.getByLabelText('Maximum posts'));
    await user.click(button('Start'));
    expect(screen.getAllByText('Fill in this field.')).toHaveLength(2);
    await user.type(target(), 'technology');
    expect(screen.getAllByText('Fill in this field.')).toHaveLength(1);
    expect(target().getAttribute('aria-invalid')).toBe(null);
  });

  it('shows the refusal of a field once, next to it, and gives it the focus', async () => {
    answer('POST /jobs', () => refusal({ field: 'target', message: 'target must be a name' }));
    const user = await form();
    await user.type(target(), 'x{Enter}');
    expect(await screen.findAllByText('Must be a name')).toHaveLength(1);
    expect(screen.queryByRole('alert')).toBe(null);
    await waitFor(() => expect(document.activeElement).toBe(target()));
    expect(target().getAttribute('aria-invalid')).toBe('true');
  });

  it('shows above the buttons what no field shows', async () => {
    answer('POST /jobs', () =>
      refusal(
        { field: 'target', message: 'The name is wrong.' },
        { field: 'other', message: 'Something else is wrong.' },
      ),
    );
    const user = await form();
    await user.type(target(), 'x{Enter}');
    await screen.findByText('The name is wrong.');
    expect(screen.getByRole('alert').textContent).toBe('Something else is wrong.');
  });

  it('says that the service cannot be reached', async () => {
    answer('POST /jobs', () => Promise.reject(new TypeError('Failed to fetch')));
    const user = await form();
    await user.type(target(), 'x{Enter}');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The service cannot be reached/);
  });

  it('keeps the focus on its button while it is sent, and sends nothing twice', async () => {
    let respond = (): void => undefined;
    answer('POST /jobs', () => new Promise((resolve) => (respond = () => resolve([201, { id: 'job_1' }]))));
    const user = await form();
    await user.type(target(), 'technology');
    await user.click(button('Start'));
    const busy = await screen.findByRole('button', { name: 'Starting …' });
    expect(busy.getAttribute('aria-disabled')).toBe('true');
    expect(document.activeElement).toBe(busy);
    await user.click(busy);
    await waitFor(() => expect(started()).toHaveLength(1));
    respond();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
    expect(started()).toHaveLength(1);
  });

  it('repeats a request with its key, and takes another for other input', async () => {
    answer('POST /jobs', () => [503, { code: 'unavailable', detail: 'Try later.' }]);
    const user = await form();
    await user.type(target(), 'technology{Enter}');
    await screen.findByText('Try later.');
    await user.click(button('Start'));
    await waitFor(() => expect(started()).toHaveLength(2));
    await waitFor(() => expect(button('Start').getAttribute('aria-disabled')).toBe(null));
    await user.type(target(), 's{Enter}');
    await waitFor(() => expect(started()).toHaveLength(3));
    const [first, second, third] = started().map(({ idempotencyKey }) => idempotencyKey);
    expect(first).not.toBe(null);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('forgets its input once it is sent', async () => {
    answer('POST /jobs', () => [201, { id: 'job_1' }]);
    const user = await form();
    await user.type(target(), 'technology{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
    await user.click(button('Open'));
    expect(target().value).toBe('');
    expect(screen.queryByText(/^Your input from before/)).toBe(null);
  });
});
