// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, refusal, sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ExportForm } from './export-form.tsx';

const post = { id: 't3_1', title: 'A title', selftext: 'A text', score: 3 };

async function form() {
  answer('GET /exports', () => [200, { exports: [], total: 0, has_more: false }]);
  answer('GET /posts', () => [200, { posts: [post], total: 12_000, cursor: '', has_more: true }]);
  answer('GET /recurring-exports', () => [200, []]);
  answer('POST /exports', () => [201, {}]);
  answer('POST /recurring-exports', () => [201, {}]);
  return show(<ExportForm search={{ q: 'battery' }} onClose={() => undefined} />, 'write', '/exports');
}
const created = (path = '/exports') =>
  sent.filter(({ operation }) => operation === `POST ${path}`).map(({ body }) => body);

describe('the form of an export', () => {
  it('says how many rows and about how many bytes it will have', async () => {
    const user = await form();
    const all = (await screen.findByText(/^12,000 rows, about .* before compression$/)).textContent;
    await user.click(screen.getByText('Columns'));
    await user.click(screen.getByRole('button', { name: 'None' }));
    await user.click(screen.getByRole('checkbox', { name: 'id' }));
    await waitFor(() => expect(screen.getByText(/^12,000 rows, about/).textContent).not.toBe(all));
    expect(sent.find(({ operation }) => operation === 'GET /posts')!.query).toContain('q=battery');
  });

  it('sends the name and the chosen columns in the order of the files', async () => {
    const user = await form();
    await user.type(screen.getByLabelText('Name'), 'For the study');
    await user.click(screen.getByText('Columns'));
    await user.click(screen.getByRole('button', { name: 'None' }));
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect(created()).toEqual([]);
    await user.click(screen.getByRole('checkbox', { name: 'title' }));
    await user.click(screen.getByRole('checkbox', { name: 'id' }));
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() =>
      expect(created()).toEqual([
        {
          name: 'For the study',
          of: 'posts',
          format: 'csv',
          filters: { q: 'battery' },
          columns: ['id', 'title'],
        },
      ]),
    );
  });

  it('sends neither without a choice, and forgets the columns of another kind', async () => {
    const user = await form();
    answer('GET /comments', () => [200, { comments: [], total: 0, has_more: false }]);
    await user.click(screen.getByText('Columns'));
    await user.click(screen.getByRole('checkbox', { name: 'title' }));
    await user.selectOptions(screen.getByLabelText('What to export'), 'Comments');
    expect(screen.getByText(/^all \d+$/)).toBeTruthy();
    await screen.findByText('0 rows');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() =>
      expect(created()).toEqual([{ of: 'comments', format: 'csv', filters: { q: 'battery' } }]),
    );
  });

  it('repeats an export at a time, with only what changed, and copies it to a bucket', async () => {
    const user = await form();
    await user.selectOptions(screen.getByLabelText('Repeat'), 'Every day');
    await user.click(screen.getByRole('checkbox', { name: /^Only new or changed rows/ }));
    await user.type(screen.getByLabelText('Name'), 'For the warehouse');
    await user.clear(screen.getByLabelText('Time zone'));
    await user.type(screen.getByLabelText('Time zone'), 'Europe/Berlin');
    await user.type(screen.getByLabelText('Copy to'), 's3://k@store.example/files');
    await user.type(screen.getByLabelText('Secret access key'), 'shh');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(created('/recurring-exports')).toHaveLength(1));
    expect(created('/recurring-exports')).toEqual([
      {
        ...{ name: 'For the warehouse', of: 'posts', format: 'csv', filters: { q: 'battery' } },
        ...{ every: 'day', weekday: 'monday', at: '08:00', timezone: 'Europe/Berlin', only_changes: true },
        destination: { url: 's3://k@store.example/files', secret: 'shh' },
      },
    ]);
    expect(created()).toEqual([]);
  });

  it('says that rows cannot be counted by an invalid filter', async () => {
    const user = await form();
    answer('GET /posts', () => refusal({ field: 'min_score', message: 'no' }));
    await user.type(screen.getByLabelText('Search words'), 'x');
    await screen.findByText('The rows could not be counted. Check the filters.');
  });
});
