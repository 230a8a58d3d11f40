/** The kinds of records that events report on. */
export const SUBJECT_KINDS = ['job', 'alert', 'webhook', 'export', 'report'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** A type of event. */
interface EventDefinition {
  /** Its subject. */
  subject: SubjectKind;
  /**
   * Who receives it: `subscribers`, the webhooks that subscribed to its type; `one`, the single destination for which a
   * test was requested; `channel`, the channel and people of an alert, or the channel of a report.
   */
  to: 'subscribers' | 'one' | 'channel';
}

/** Every type of event. The contract has a payload and an example for each one that receivers of webhooks can get. */
export const EVENTS = {
  'job.completed': { subject: 'job', to: 'subscribers' },
  'job.failed': { subject: 'job', to: 'subscribers' },
  'alert.triggered': { subject: 'alert', to: 'subscribers' },
  'export.completed': { subject: 'export', to: 'subscribers' },
  'webhook.test': { subject: 'webhook', to: 'one' },
  'alert.test': { subject: 'alert', to: 'one' },
  'alert.digest': { subject: 'alert', to: 'channel' },
  'report.ready': { subject: 'report', to: 'channel' },
} as const satisfies Record<string, EventDefinition>;

type Events = typeof EVENTS;
/** The types of events that go to these receivers. */
type TypesTo<Receivers extends EventDefinition['to']> = {
  [Type in keyof Events]: Events[Type]['to'] extends Receivers ? Type : never;
}[keyof Events];

/** The type of any event. */
export type AnyEventType = keyof Events;
/** A type of event that webhooks can subscribe to. */
export type EventType = TypesTo<'subscribers'>;
/** A type of test event. */
export type TestEventType = TypesTo<'one'>;

/** The event types that webhooks can subscribe to. */
export const EVENT_TYPES = Object.entries(EVENTS)
  .filter(([, { to }]) => to === 'subscribers')
  .map(([type]) => type as EventType);
