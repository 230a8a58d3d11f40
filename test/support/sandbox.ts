/** Variables of a service that scrapes the synthetic platform at `url` without waiting for a request budget. */
export function scrapingFrom(url: string): Record<string, string> {
  return {
    ROLES: 'api,worker',
    PLATFORM_BASE_URL: url,
    PLATFORM_AUTH_URL: url,
    PLATFORM_REQUESTS_PER_MINUTE: '1000000',
  };
}
