import { texts } from '../texts.ts';

/** The pages of the navigation, in order. */
export const LINKS = [
  ['/search', texts.navigation.search],
  ['/trends', texts.navigation.trends],
  ['/jobs', texts.navigation.jobs],
  ['/schedules', texts.navigation.schedules],
  ['/alerts', texts.navigation.alerts],
  ['/webhooks', texts.navigation.webhooks],
  ['/exports', texts.navigation.exports],
  ['/settings', texts.navigation.settings],
] as const;
