/** Whether Reddit's forums are synthetic. The service writes this into the page, whose files are the same for all. */
export const HAS_SYNTHETIC_REDDIT = document.documentElement.dataset.reddit === 'synthetic';

/** Whether the service can send email; written into the page, too. */
export const HAS_EMAIL = document.documentElement.dataset.email !== 'none';
