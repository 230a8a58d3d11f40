/** Texts of the list of keyboard shortcuts. */
export const shortcutsTexts = {
  title: 'Keyboard shortcuts',
  /** Before and after the pages of the navigation. */
  first: [
    ['/', 'Search'],
    ['Ctrl K', 'Commands'],
  ],
  others: [
    ['↓ J K', 'In a search: preview the results one by one'],
    ['Enter O', 'In a preview: open the thread, the original'],
    ['J K', 'Mentions: next, previous'],
    ['E S D', 'Mentions: done, keep, dismiss'],
    ['Enter O', 'Mentions: open the thread, the original'],
    ['X Z', 'Mentions: select, undo'],
    ['?', 'This help'],
    ['Esc', 'Leave a field, clear a selection, close a dialog'],
  ],
};
