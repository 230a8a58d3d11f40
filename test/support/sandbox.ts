/** Variables of a service whose scrapes go to the synthetic platform at `url`, without a budget to wait for. */
export function scrapingFrom(url: string): Record<string, string> {
  return {
    ROLES: 'api,worker',
    PLATFORM_BASE_URL: url,
    PLATFORM_AUTH_URL: url,
    PLATFORM_REQUESTS_PER_MINUTE: '1000000',
  };
}
