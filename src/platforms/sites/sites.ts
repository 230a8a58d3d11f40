import { ANYWHERE } from '../../infrastructure/outbound-http/address-guard.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { Environment } from '../../config/environment.js';
import type { BudgetRule, PlatformContext, PlatformDefinition } from '../platform-definition.js';
import { GuardedRequestor } from '../http/guarded-requestor.js';
import { LimitedSender } from '../http/limited-sender.js';
import type { RateLimit, RequestBudget } from '../http/request-budget.js';
import { OPEN_RULES, type RetryPolicy } from '../http/retry-policy.js';
import { paceOf } from '../polling/polling-stream.js';
import { SiteClient } from './site-client.js';
import { type PlatformLog, retryDependencies, type TimeOverrides } from '../http/with-retry.js';

/** Sites whose connections and documents are remembered; the least recently used ones are forgotten. */
const MAX_SITES = 1_000;
/** Of so many requests that a site may get, listening sends one for each of its lists: every 20 seconds by default. */
const SHARED = 20;

/** How the requests to sites are repeated. */
const RETRIES: Omit<RetryPolicy, 'source'> = {
  rules: OPEN_RULES,
  remedies: {
    rate_limited: 'Lower SOURCE_REQUESTS_PER_MINUTE, or look for other programs that use this address',
    blocked: 'Set SOURCE_CONTACT, so that the operators of the site see whom to write to, or ask them',
    unauthorized: 'The site is for its members',
  },
};

/** Dependencies of clients of sites. */
export interface SitesOptions {
  source: string;
  /** Addresses of sites that have another one than `https://SITE`, by site. These may be private. */
  addresses: Readonly<Record<string, string>>;
  userAgent: string;
  /** Whether the wishes of robots.txt and accounts not to be read are ignored. */
  ignoresNoindex: boolean;
  /** Whether content marked as not safe for work is read where a site lists it on demand only. */
  showsNsfw: boolean;
  /** The request limit of a site. */
  limit: RateLimit;
  /** The client for sites that users name. */
  outbound: Pick<OutboundHttpClient, 'request'>;
  budget: (site: string) => RequestBudget;
  onLog?: PlatformLog;
  /** How requests are repeated, where it differs. */
  retries?: Omit<RetryPolicy, 'source'>;
  /** Overrides of sleep, clock and random source, for tests. */
  dependencies?: TimeOverrides;
}

/** The clients of a source's sites. */
export class Sites {
  private readonly clients = new Map<string, SiteClient>();
  /** For the addresses that the operator has named. */
  private readonly trusted = new OutboundHttpClient(ANYWHERE);

  constructor(readonly options: SitesOptions) {}

  /** The client of a site: a host name in lower case, with a port if it has one. */
  of(site: string, protocol = 'https:'): SiteClient {
    const key = `${protocol}//${site}`;
    const client = this.clients.get(key) ?? this.create(site, key);
    this.clients.delete(key);
    this.clients.set(key, client);
    const [oldest] = this.clients.keys();
    if (this.clients.size > MAX_SITES) this.clients.delete(oldest!);
    return client;
  }

  /** Milliseconds between two readings of all that is new on a site, which leave `shared` requests to others for each. */
  pollMs(shared = SHARED): number {
    return paceOf(this.options.limit, shared);
  }

  /** Releases sockets. */
  close(): void {
    this.trusted.close();
  }

  private create(site: string, origin: string): SiteClient {
    const { source, addresses, userAgent, ignoresNoindex, outbound, budget, onLog, dependencies } =
      this.options;
    const retries = this.options.retries ?? RETRIES;
    const address = Object.hasOwn(addresses, site) ? addresses[site] : undefined;
    const ofSite = countingAll(budget(site));
    const senderOf = (client: SitesOptions['outbound']): LimitedSender =>
      new LimitedSender(source, new GuardedRequestor(client, userAgent), ofSite);
    return new SiteClient({
      site,
      baseUrl: address ?? origin,
      sender: senderOf(address === undefined ? outbound : this.trusted),
      outside: senderOf(outbound),
      dependencies: retryDependencies({ ...retries, source: site }, onLog, dependencies),
      ignoresRobots: ignoresNoindex,
    });
  }
}

/**
 * Clients of a source's sites, as the environment configures them; `addresses` names those of a source whose sites are
 * known, `own` are settings of the source itself.
 */
export function sitesOf(
  source: string,
  { environment, userAgent, outbound, budget, logAs, dependencies }: PlatformContext,
  addresses: Readonly<Record<string, string>> = environment.SOURCE_SITES,
  own: Pick<Partial<SitesOptions>, 'ignoresNoindex' | 'retries'> = {},
): Sites {
  const { SOURCE_CONTACT, SOURCE_IGNORE_NOINDEX, SOURCE_SHOW_NSFW } = environment;
  return new Sites({
    source,
    addresses,
    userAgent: SOURCE_CONTACT === undefined ? userAgent : `${userAgent} (contact: ${SOURCE_CONTACT})`,
    ignoresNoindex: SOURCE_IGNORE_NOINDEX,
    showsNsfw: SOURCE_SHOW_NSFW,
    limit: siteBudget(environment, null).limit,
    outbound,
    budget,
    onLog: logAs(source),
    dependencies,
    ...own,
  });
}

/**
 * The budget of a site: a sixth of the minute's requests in any ten seconds, so that no site gets a minute's requests at
 * once.
 */
export function siteBudget(
  { SOURCE_REQUESTS_PER_MINUTE: requests }: Environment,
  site: string | null,
): BudgetRule {
  return {
    key: `site:${site}`,
    limit:
      requests < 6
        ? { requests, withinMs: 60_000 }
        : { requests: Math.floor(requests / 6), withinMs: 10_000 },
  };
}

/** The part of a definition that sources with many sites have in common. Only a request shows of which kind a site is. */
export const ON_MANY_SITES = {
  origin: 'https://{site}',
  hasSites: true,
  budget: siteBudget,
  isCaseSensitive: () => false,
  resolve: () => null,
} as const satisfies Partial<PlatformDefinition>;

/** Sites count every request, also where a response does not tell the state of their limit. */
function countingAll(budget: RequestBudget): RequestBudget {
  return {
    acquire: (session) => budget.acquire(session),
    get nextRequestAt() {
      return budget.nextRequestAt;
    },
    report: (headers, status) => budget.report(headers, headers === null ? 0 : status),
    limitTo: (stated) => budget.limitTo(stated),
  };
}
