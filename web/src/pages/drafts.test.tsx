// @vitest-environment happy-dom
import { Opening, show } from '../testing/page.tsx';
import { screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, it } from 'vitest';
import AlertBuilder from './alerts/alert-builder.tsx';
import { DatasetForm } from './datasets/dataset-form.tsx';
import { ExportForm } from './exports/export-form.tsx';
import { StartJob } from './jobs/start-job.tsx';
import { ScheduleForm } from './schedules/schedule-form.tsx';
import { CreateKey } from './settings/key-forms.tsx';
import { WebhookForm } from './webhooks/webhook-form.tsx';

const FORMS: readonly [name: string, label: string, form: (onClose: () => void) => ReactElement][] = [
  ['a job', 'Forum or user name', (onClose) => <StartJob onClose={onClose} onStarted={onClose} />],
  ['a schedule', 'Forum or user name', (onClose) => <ScheduleForm schedule={null} onClose={onClose} />],
  ['an alert', 'Name', (onClose) => <AlertBuilder alert={null} onClose={onClose} />],
  ['a webhook', 'URL', (onClose) => <WebhookForm webhook={null} onClose={onClose} />],
  ['an export', 'Search words', (onClose) => <ExportForm search={{}} onClose={onClose} />],
  ['a dataset', 'Name', (onClose) => <DatasetForm search={{}} onClose={onClose} />],
  ['an API key', 'Name', (onClose) => <CreateKey onClose={onClose} />],
];

it.each(FORMS)('the form of %s keeps its input after Escape, until Cancel', async (_name, label, form) => {
  const user = await show(<Opening>{form}</Opening>);
  const field = (): HTMLInputElement => screen.getByLabelText(label);
  const open = (): Promise<void> => user.click(screen.getByRole('button', { name: 'Open' }));
  const isClosed = (): Promise<void> => waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));

  await open();
  await user.click(field());
  await user.paste('kept');
  await user.keyboard('{Escape}');
  await isClosed();
  await open();
  expect(field().value).toBe('kept');
  expect(screen.getByText('Your input from before is still here. Cancel discards it.')).toBeTruthy();

  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await isClosed();
  await open();
  expect(field().value).toBe('');
  expect(screen.queryByText(/^Your input from before/)).toBe(null);
});
