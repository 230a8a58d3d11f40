import type { WaitingEvent } from '../../events/outbox.repository.js';
import { fanOut } from './fan-out.js';

const ALERT = '3f0f3a52-5f6b-4c5c-9b5c-0f8c1f0f6a11';
const event = (
  type: WaitingEvent['type'],
  subjectKind: WaitingEvent['subjectKind'],
  subjectId: string | null,
): WaitingEvent => ({ workspaceId: 'w', id: 'e', type, subjectKind, subjectId });
const to = (...args: Parameters<typeof fanOut>): string[] =>
  fanOut(...args).map(({ kind, id }) => `${kind} ${id}`);

describe('fanOut', () => {
  it('addresses the webhooks that subscribe to the type', () => {
    const subscriptions = [
      { id: '1', events: ['job.completed' as const, 'job.failed' as const] },
      { id: '2', events: ['job.failed' as const] },
    ];
    expect(to(event('job.completed', 'job', '1'), subscriptions)).toEqual(['webhook 1']);
    expect(to(event('job.failed', 'job', '1'), subscriptions)).toEqual(['webhook 1', 'webhook 2']);
  });

  it('addresses the channel of the alert beside the webhooks', () => {
    expect(to(event('alert.triggered', 'alert', ALERT), [])).toEqual([`alert ${ALERT}`]);
    expect(to(event('alert.triggered', 'alert', ALERT), [{ id: '1', events: ['alert.triggered'] }])).toEqual([
      'webhook 1',
      `alert ${ALERT}`,
    ]);
  });

  it('addresses nothing without a subscription or an alert', () => {
    expect(to(event('job.completed', 'job', ALERT), [])).toEqual([]);
    expect(to(event('alert.triggered', null, null), [])).toEqual([]);
  });
});
