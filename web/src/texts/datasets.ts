/** Texts of datasets, in the list of exports. */
export const datasetsTexts = {
  create: 'Freeze a search',
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
