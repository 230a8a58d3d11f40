import { KINDS } from '../../api/kinds.ts';
import { inOrder, oneOf } from '../../choices.ts';
import { mentionsTexts } from '../../texts/mentions.ts';

/** The states of the inbox in the order of their tabs; `new` is shown first. */
export const STATES = inOrder([...KINDS.lists.matchStates, 'all'], mentionsTexts.states);

/** The orders of the inbox besides that of time. */
export const ORDERS = ['relevance', 'uncertainty'] as const;

/** The filters of the inbox, as stored in its address. */
export interface MentionsState {
  /** `new` when absent. */
  state?: Exclude<(typeof STATES)[number], 'new'> | undefined;
  alert?: string | undefined;
  label?: string | undefined;
  sentiment?: (typeof KINDS.lists.sentiments)[number] | undefined;
  /** Newest first when absent. */
  order?: (typeof ORDERS)[number] | undefined;
}

/** Reads the valid parts of an address and ignores the rest. */
export function readMentionsState(given: Record<string, unknown>): MentionsState {
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const state = oneOf(STATES, given.state);
  const sentiment = oneOf(KINDS.lists.sentiments, given.sentiment);
  const order = oneOf(ORDERS, given.order);
  const [alert, label] = [text('alert'), text('label')];
  return {
    ...(state !== undefined && state !== 'new' && { state }),
    ...(alert !== undefined && { alert }),
    ...(label !== undefined && { label }),
    ...(sentiment !== undefined && { sentiment }),
    ...(order !== undefined && { order }),
  };
}
