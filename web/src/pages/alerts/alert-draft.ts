import type { Schemas } from '../../api/client.ts';
import { beginningOf } from '../../components/plain-text.ts';
import type { Alert } from './alerts.ts';
import { deliveryOf, type DeliverySettings, toDelivery } from './delivery.ts';

export type AlertedTable = NonNullable<Alert['of']>;

/** What an alert finds and when it notifies, as edited in its form. */
export interface AlertDraft {
  name: string;
  query: string;
  /** One keyword per line. */
  keywordText: string;
  of: AlertedTable;
  /** Sources that the service reads for it, separated by commas. */
  listenText: string;
  /** Names separated by commas. */
  forumText: string;
  /** What it notifies of. */
  trigger: Schemas['AlertConditionDto'];
  delivery: DeliverySettings;
  /** In percent; empty for none. */
  minRelevance: string;
  /** Empty for none. */
  question: string;
}

/** What a new alert begins with. */
export interface AlertBeginning {
  name?: string;
  query?: string;
  of?: AlertedTable;
  keywords?: readonly string[];
  forums?: readonly string[];
  /** Names of filters of a search that the alert cannot have. */
  left?: readonly string[];
}

/** The draft of an alert that exists, or of a new one. */
export function draftOf(alert: Alert | null, beginning: AlertBeginning): AlertDraft {
  const keywords = alert?.keywords ?? beginning.keywords ?? [];
  const query = alert?.query ?? beginning.query ?? '';
  return {
    name: alert?.name ?? beginning.name ?? beginningOf(keywords.join(', ') || query, MOST_NAME_LENGTH),
    query,
    keywordText: keywords.join('\n'),
    of: alert?.of ?? beginning.of ?? 'posts',
    listenText: (alert?.listen ?? []).join(', '),
    forumText: (alert?.forums ?? beginning.forums ?? []).join(', '),
    trigger: alert?.condition ?? { kind: 'match' },
    delivery: deliveryOf(alert?.delivery ?? null),
    minRelevance: alert?.min_relevance == null ? '' : String(Math.round(alert.min_relevance * 100)),
    question: alert?.question ?? '',
  };
}

const MOST_NAME_LENGTH = 255;

/** What a draft finds, in the API's format. */
export const conditionOf = ({ query, keywordText, of, forumText }: AlertDraft): Schemas['DraftAlertDto'] => ({
  query: query.trim() === '' ? null : query.trim(),
  keywords: partsOf(keywordText, /\n/),
  forums: partsOf(forumText, /,/),
  of,
});

/** A new alert in the API's format, without its channel. */
export function newAlertOf(draft: AlertDraft) {
  const { query, ...condition } = conditionOf(draft);
  const delivery = toDelivery(draft.delivery);
  return {
    name: draft.name,
    ...condition,
    ...(query !== null && { query }),
    ...(draft.listenText.trim() !== '' && { listen: partsOf(draft.listenText, /,/) }),
    ...(draft.trigger.kind !== 'match' && { condition: draft.trigger }),
    ...(delivery !== null && { delivery }),
    ...(draft.minRelevance !== '' && { min_relevance: relevanceOf(draft) }),
    ...(draft.question.trim() !== '' && { question: draft.question.trim() }),
  };
}

/** The changes of an alert in the API's format, without its channel. */
export const changedAlertOf = (draft: AlertDraft) => ({
  name: draft.name,
  ...conditionOf(draft),
  listen: partsOf(draft.listenText, /,/),
  condition: draft.trigger,
  delivery: toDelivery(draft.delivery),
  min_relevance: relevanceOf(draft),
  question: draft.question.trim() || null,
});

const relevanceOf = ({ minRelevance }: AlertDraft): number | null =>
  minRelevance === '' ? null : Number(minRelevance) / 100;

/** The distinct parts of a text between separators. */
export const partsOf = (text: string, separator: RegExp): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];
