/** Texts of the command palette. */
export const commandsTexts = {
  title: 'Commands',
  find: 'Find a command, a saved search, an alert, a job or a post',
  searchFor: (words: string) => `Search for “${words}”`,
  post: (title: string, forum: string) => `Post: ${title}, ${forum}`,
  savedSearch: (name: string) => `Saved search: ${name}`,
  alert: (name: string) => `Mentions of the alert: ${name}`,
  job: (target: string, status: string, time: string) => `Job: ${target}, ${status}, ${time}`,
  newJob: 'Start a scrape',
  firstSteps: 'First steps: collect from another source',
  newSchedule: 'Create a schedule',
  newAlert: 'Create an alert',
  newWebhook: 'Create a webhook',
  newExport: 'Create an export',
  newKey: 'Create an API key',
  goTo: (page: string) => `Go to ${page}`,
  theme: (theme: string) => `Theme: ${theme}`,
};
