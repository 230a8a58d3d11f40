/** The eleven domains of `src` in the order of a text's life, and which others each may use. */
export const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  tenants: [],
  access: ['tenants', 'messages'],
  messages: [],
  search: ['tenants'],
  content: ['tenants', 'search'],
  alerts: ['tenants', 'messages', 'search', 'content'],
  collect: ['tenants', 'messages', 'content', 'alerts'],
  deliver: ['tenants', 'access', 'messages', 'alerts'],
  takeout: ['tenants', 'messages', 'search', 'content', 'alerts'],
  privacy: ['tenants', 'access', 'messages', 'search', 'content', 'alerts', 'collect', 'deliver', 'takeout'],
  operate: [
    'tenants',
    'access',
    'messages',
    'search',
    'content',
    'alerts',
    'collect',
    'deliver',
    'takeout',
    'privacy',
  ],
};

/** The domain of a file, by its path below `src`; null for the ground. */
export const domainOf = (file: string): string | null => {
  const folder = file.split('/')[0]!;
  return folder in MAY_USE ? folder : null;
};

/** The folder that owns the table of an entity file: a resource of its domain; alerts and search are one each. */
export const ownerOf = (file: string): string | null => {
  const domain = domainOf(file);
  if (domain === null || domain === 'alerts' || domain === 'search') return domain;
  return file.split('/').slice(0, 2).join('/');
};
