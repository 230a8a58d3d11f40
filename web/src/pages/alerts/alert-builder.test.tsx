// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, refusal, sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import AlertBuilder from './alert-builder.tsx';
import type { Alert } from './alerts.ts';

describe('the form of an alert', () => {
  async function form() {
    // The preview waits, so that it shows nothing of its own.
    answer('POST /alerts/preview', () => new Promise(() => undefined));
    const user = await show(<AlertBuilder alert={null} onClose={() => undefined} />);
    const enter = async (label: string, text: string): Promise<void> => {
      await user.click(screen.getByLabelText(label));
      await user.paste(text);
    };
    await enter('Name', 'Batteries');
    return { user, enter, create: () => user.click(screen.getByRole('button', { name: 'Create' })) };
  }

  it('shows at the field, once, which keyword is refused', async () => {
    const message = 'keywords.1 must contain a letter, a digit or an emoji';
    answer('POST /alerts', () => refusal({ field: 'keywords.1', message }));
    const { enter, create } = await form();
    await enter('Or any of these keywords', 'battery\n...');
    await create();
    const note = await screen.findAllByText('Entry 2 must contain a letter, a digit or an emoji');
    const field = screen.getByLabelText('Or any of these keywords');
    expect(note.map(({ id }) => id)).toEqual([field.getAttribute('aria-describedby')]);
    expect(screen.queryByRole('alert')).toBe(null);
  });

  it('needs a query or keywords, before anything is sent', async () => {
    answer('POST /alerts', () => [201, {}]);
    const { enter, create } = await form();
    const created = () => sent.filter(({ operation }) => operation === 'POST /alerts');
    await create();
    expect(screen.getByText('Fill in this field.')).toBeTruthy();
    expect(created()).toEqual([]);
    await enter('Or any of these keywords', 'battery');
    await create();
    await waitFor(() => expect(created()).toHaveLength(1));
    expect(created()[0]!.body).toMatchObject({ name: 'Batteries', keywords: ['battery'] });
  });

  it('asks for the word first, then whether to listen anywhere', async () => {
    answer('POST /alerts', () => [201, {}]);
    const { user, enter, create } = await form();
    expect(document.querySelector('form textarea, form input')).toBe(screen.getByLabelText('Look for'));
    await enter('Look for', 'heron');
    await user.selectOptions(screen.getByLabelText('Where to listen'), 'Anywhere: whole sources, too');
    expect(screen.getByLabelText<HTMLInputElement>('Sources').value).toBe('bluesky');
    await enter('Sources', ', mastodon:social.example');
    await create();
    const created = () => sent.filter(({ operation }) => operation === 'POST /alerts');
    await waitFor(() => expect(created()).toHaveLength(1));
    expect(created()[0]!.body).toMatchObject({
      query: 'heron',
      listen: ['bluesky', 'mastodon:social.example'],
    });
  });

  it('shows how far an alert that listens has been read for', async () => {
    answer('POST /alerts/preview', () => new Promise(() => undefined));
    const gap = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z', reason: 'Stopped' };
    const source = {
      source: 'bluesky',
      state: 'live',
      read: 1_200,
      matched: 3,
      since: null,
      behind_seconds: 0,
    };
    answer('GET /alerts/alert_1/listening', () => [200, { sources: [{ ...source, gaps: [gap] }] }]);
    const alert = {
      id: 'alert_1',
      name: 'Herons',
      keywords: [],
      query: 'heron',
      forums: [],
      listen: ['bluesky'],
    };
    await show(<AlertBuilder alert={alert as unknown as Alert} onClose={() => undefined} />);
    const text = 'Bluesky: listening now. 1,200 read, 3 matched. One time was missed.';
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('asks for a time, a day and a time zone only where they matter', async () => {
    const { user } = await form();
    expect(screen.queryByLabelText('Time zone')).toBe(null);
    await user.selectOptions(screen.getByLabelText('Notify'), 'Once a day');
    expect(screen.getByLabelText('Time zone')).toBeTruthy();
    expect(screen.queryByLabelText('On')).toBe(null);
    await user.selectOptions(screen.getByLabelText('Notify'), 'Once a week');
    expect([...screen.getByLabelText<HTMLSelectElement>('On').options].map(({ text }) => text)[0]).toBe(
      'Monday',
    );
    await user.selectOptions(screen.getByLabelText('Notify'), 'Once an hour');
    expect(screen.queryByLabelText('Time zone')).toBe(null);
  });

  it('notifies of stories when asked to', async () => {
    answer('POST /alerts', () => [201, {}]);
    const { user, enter, create } = await form();
    await enter('Look for', 'acme');
    await user.selectOptions(screen.getByLabelText('Notify of'), 'Each story with three matches or more');
    await create();
    const created = () => sent.filter(({ operation }) => operation === 'POST /alerts');
    await waitFor(() => expect(created()).toHaveLength(1));
    expect(created()[0]!.body).toMatchObject({ query: 'acme', condition: { kind: 'story' } });
  });

  it('shows the least relevance in percent, and takes an empty one as none', async () => {
    answer('POST /alerts/preview', () => new Promise(() => undefined));
    answer('PATCH /alerts/alert_1', () => [200, { id: 'alert_1' }]);
    const alert = { id: 'alert_1', name: 'Herons', keywords: ['heron'], forums: [], min_relevance: 0.35 };
    const user = await show(<AlertBuilder alert={alert as unknown as Alert} onClose={() => undefined} />);
    const field = screen.getByLabelText<HTMLInputElement>('Least relevance, in percent');
    expect(field.value).toBe('35');
    const saved = async (percent: string): Promise<unknown> => {
      await user.clear(field);
      if (percent !== '') await user.type(field, percent);
      const before = sent.length;
      await user.click(screen.getByRole('button', { name: 'Save' }));
      await waitFor(() =>
        expect(sent.slice(before).some(({ operation }) => /PATCH/.test(operation))).toBe(true),
      );
      return sent.slice(before).find(({ operation }) => /PATCH/.test(operation))!.body;
    };
    expect(await saved('60')).toMatchObject({ min_relevance: 0.6 });
    expect(await saved('')).toMatchObject({ min_relevance: null, question: null });
    await user.type(screen.getByLabelText('Which matches are relevant, in plain words'), ' Birds? ');
    expect(await saved('')).toMatchObject({ question: 'Birds?' });
  });
});
