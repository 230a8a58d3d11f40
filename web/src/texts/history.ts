/** Texts of the history of a workspace, and of the same list for operators. */
export const historyTexts = {
  title: 'History',
  explanation: 'Who changed, signed in or downloaded, and when.',
  search: 'Search',
  searchHint: 'A name, address, id or value',
  find: 'Find',
  from: 'From',
  to: 'Until',
  nothing: 'nothing',
  states: { true: 'on', false: 'off' } as Record<string, string>,
  change: (field: string, before: string, after: string) => `${field}: ${before} → ${after}`,
  changedBy: (who: string) => `changed by ${who}`,
  operator: 'an operator',
};
