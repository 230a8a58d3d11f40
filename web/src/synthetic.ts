/** Whether forums of Reddit are made up. The service writes that into the page, since the page is the same for all. */
export const HAS_SYNTHETIC_REDDIT = document.documentElement.dataset.reddit === 'synthetic';
