import { BEFORE_WEBHOOKS, type WaitingEvent } from '../../messages/outbox/outbox.repository.js';
import { fanOut } from './fan-out.js';

const ALERT = '3f0f3a52-5f6b-4c5c-9b5c-0f8c1f0f6a11';
const event = (id: string, extra: Partial<WaitingEvent> = {}): WaitingEvent => ({
  workspaceId: 'w',
  id,
  type: 'job.completed',
  subjectKind: 'job',
  subjectId: ALERT,
  fanOutAfter: null,
  ...extra,
});
const triggered = (id: string): WaitingEvent =>
  event(id, { type: 'alert.triggered', subjectKind: 'alert', subjectId: ALERT });
const completed = (...ids: string[]) => ids.map((id) => ({ id, events: ['job.completed' as const] }));
const addressed = ({ deliveries }: ReturnType<typeof fanOut>): string[] =>
  deliveries.map(({ kind, id, event: { id: eventId } }) => `${eventId}: ${kind} ${id}`);

describe('fanOut', () => {
  it('adds a delivery for each webhook that subscribes to the type', () => {
    const subscriptions = [
      { id: '1', events: ['job.completed' as const, 'job.failed' as const] },
      { id: '2', events: ['job.failed' as const] },
    ];
    expect(addressed(fanOut([event('a')], subscriptions, 10))).toEqual(['a: webhook 1']);
    expect(addressed(fanOut([event('a', { type: 'job.failed' })], subscriptions, 10))).toEqual([
      'a: webhook 1',
      'a: webhook 2',
    ]);
  });

  it('adds a delivery for the channel of the alert in addition to the webhooks', () => {
    expect(addressed(fanOut([triggered('a')], [], 10))).toEqual([`a: alert ${ALERT}`]);
    expect(
      addressed(fanOut([triggered('a')], [{ id: '1', events: ['alert.triggered'] }], 10)).sort(),
    ).toEqual([`a: alert ${ALERT}`, 'a: webhook 1']);
  });

  const PEOPLE = new Map([[ALERT, ['ann', 'bob', 'cem']]]);

  it('adds a delivery for each person who is notified of the alert', () => {
    expect(addressed(fanOut([triggered('a')], [], 10, PEOPLE))).toEqual([
      `a: alert ${ALERT}`,
      'a: member ann',
      'a: member bob',
      'a: member cem',
    ]);
    const held = { ...triggered('a'), fanOutAfter: BEFORE_WEBHOOKS };
    expect(fanOut([held], [], 10, PEOPLE).deliveries).toEqual([]);
  });

  it('continues with the webhooks when the people of an alert exceed the limit', () => {
    const webhooks = [{ id: '1', events: ['alert.triggered' as const] }];
    const first = fanOut([triggered('a')], webhooks, 2, PEOPLE);
    expect(first).toMatchObject({ complete: [], partial: { eventId: 'a', afterWebhookId: BEFORE_WEBHOOKS } });
    const continued = { ...triggered('a'), fanOutAfter: BEFORE_WEBHOOKS };
    expect(addressed(fanOut([continued], webhooks, 2, PEOPLE))).toEqual(['a: webhook 1']);
  });

  it('adds no delivery without a subscription or an alert', () => {
    const { deliveries, complete } = fanOut([event('a'), event('b')], [], 10);
    expect(deliveries).toEqual([]);
    expect(complete).toEqual(['a', 'b']);
  });

  it('stops at the limit in the middle of an event and continues there', () => {
    const subscriptions = completed('1', '2', '3', '4', '5');
    const first = fanOut([event('a'), event('b')], subscriptions, 3);
    expect(addressed(first)).toEqual(['a: webhook 1', 'a: webhook 2', 'a: webhook 3']);
    expect(first).toMatchObject({ complete: [], partial: { eventId: 'a', afterWebhookId: '3' } });
    const second = fanOut([event('a', { fanOutAfter: '3' }), event('b')], subscriptions, 3);
    expect(addressed(second)).toEqual(['a: webhook 4', 'a: webhook 5', 'b: webhook 1']);
    expect(second).toMatchObject({ complete: ['a'], partial: { eventId: 'b', afterWebhookId: '1' } });
  });

  it('stops at the limit between events', () => {
    const { complete, partial } = fanOut([event('a'), event('b')], completed('1', '2'), 2);
    expect({ complete, partial }).toEqual({ complete: ['a'], partial: null });
  });

  it('adds one delivery for the channel of an alert', () => {
    const continued = { ...triggered('a'), fanOutAfter: '1' };
    expect(addressed(fanOut([continued], [{ id: '2', events: ['alert.triggered'] }], 10))).toEqual([
      'a: webhook 2',
    ]);
  });

  it('never exceeds the limit for any events', () => {
    const events = Array.from({ length: 20 }, (_, index) => triggered(String(index)));
    expect(fanOut(events, [], 7)).toMatchObject({
      complete: ['0', '1', '2', '3', '4', '5', '6'],
      partial: null,
    });
    expect(fanOut(events, [], 7).deliveries).toHaveLength(7);
  });
});
