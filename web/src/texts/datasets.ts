/** Texts of Datasets. */
export const datasetsTexts = {
  title: 'Datasets',
  create: 'Freeze a search',
  empty: 'No datasets yet.',
  emptyHint:
    'A dataset keeps what a search finds now, unchanged by later scrapes, with checksums for a study.',
  example: { name: 'Opinions on batteries', details: 'Comments that contain battery, of the last year' },
  nameHint: 'For example the title of the study.',
  of: 'What to freeze',
  submit: 'Freeze',
  submitting: 'Freezing …',
  frozen: 'frozen',
  erased: (count: string) => `${count} rows were erased since`,
  delete: 'Delete',
  deleteNamed: (name: string) => `Delete: ${name}`,
  deleted: (name: string) =>
    `The dataset "${name}" was deleted, with its files. The posts and comments are kept.`,
};
