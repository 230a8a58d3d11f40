/** Texts of actions on several rows. */
export const bulkTexts = {
  select: (name: string) => `Select: ${name}`,
  all: (count: string) => `Select all ${count}`,
  selected: (count: string) => `${count} selected`,
  pause: 'Pause',
  resume: 'Resume',
  remove: 'Delete',
};
