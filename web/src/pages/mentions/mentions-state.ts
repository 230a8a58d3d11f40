/** The states of the inbox in the order of their tabs; `new` is shown first. */
export const STATES = ['new', 'kept', 'seen', 'dismissed', 'all'] as const;

/** The filters of the inbox, as stored in its address. */
export interface MentionsState {
  /** `new` when absent. */
  state?: Exclude<(typeof STATES)[number], 'new'> | undefined;
  alert?: string | undefined;
  label?: string | undefined;
  sentiment?: 'positive' | 'neutral' | 'negative' | undefined;
}

/** Reads the valid parts of an address and ignores the rest. */
export function readMentionsState(given: Record<string, unknown>): MentionsState {
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const state = STATES.find((one) => one === given.state);
  const sentiment = (['positive', 'neutral', 'negative'] as const).find((one) => one === given.sentiment);
  const [alert, label] = [text('alert'), text('label')];
  return {
    ...(state !== undefined && state !== 'new' && { state }),
    ...(alert !== undefined && { alert }),
    ...(label !== undefined && { label }),
    ...(sentiment !== undefined && { sentiment }),
  };
}
