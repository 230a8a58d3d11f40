import type { Redis } from 'ioredis';
import { SystemClock } from '../../common/clock.js';
import type { Environment } from '../../config/environment.js';
import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import type { Tracing } from '../../infrastructure/tracing/tracing.js';
import type { AlertsRepository } from '../../alerts/alert/alerts.repository.js';
import type { ReportsRepository } from '../../alerts/reports/reports.repository.js';
import type { ChannelConfigs } from '../../alerts/alert/channel-configs.js';
import type { WebhookSecrets } from '../webhooks/webhook-secrets.js';
import type { WebhooksRepository } from '../webhooks/webhooks.repository.js';
import { type ClaimedDelivery, DestinationLoader } from './destination-loader.js';
import type { MemberNotifier } from './member-notifier.js';

const UNREADABLE = new SecretUnreadableError();

/** Why the destination, as stored, refuses the deliveries of an ordinary event and of a test. */
async function refusals(
  kind: 'webhook' | 'alert' | 'report',
  stored: object | null,
  secrets: () => unknown = () => [],
): Promise<(string | null)[]> {
  const loader = new DestinationLoader(
    { find: () => Promise.resolve(stored) } as unknown as WebhooksRepository,
    { current: secrets, urlOf: () => 'https://hook.example' } as unknown as WebhookSecrets,
    { find: () => Promise.resolve(stored) } as unknown as AlertsRepository,
    { find: () => Promise.resolve(stored) } as unknown as ReportsRepository,
    { open: () => ({}) } as unknown as ChannelConfigs,
    {} as OutboundHttpClient,
    new SystemClock(),
    {} as Tracing,
    {} as MemberNotifier,
    {} as Redis,
    { WEBHOOK_TIMEOUT_MS: 1_000 } as Environment,
  );
  const { refuse } = await loader.load({ workspaceId: 'w', kind, id: 'd' });
  return ['job.completed', `${kind}.test`].map((type) => refuse({ event: { type } } as ClaimedDelivery));
}

describe('a loaded destination', () => {
  it('refuses nothing while it is enabled', async () => {
    expect(await refusals('webhook', { isActive: true })).toEqual([null, null]);
    expect(await refusals('alert', { channel: 'webhook', channelDisabledReason: null })).toEqual([
      null,
      null,
    ]);
  });

  it('refuses everything but tests while it is disabled', async () => {
    expect(await refusals('webhook', { isActive: false })).toEqual(['The webhook is inactive', null]);
    expect(await refusals('alert', { channel: 'webhook', channelDisabledReason: 'gone' })).toEqual([
      'The channel was disabled: gone',
      null,
    ]);
  });

  it.each([['webhook' as const], ['alert' as const], ['report' as const]])(
    'refuses tests too when the %s was deleted',
    async (kind) => {
      const reason = `The ${kind} was deleted`;
      expect(await refusals(kind, null)).toEqual([reason, reason]);
    },
  );

  it('refuses everything when its secrets cannot be read', async () => {
    const unreadable = (): never => {
      throw UNREADABLE;
    };
    const { message } = UNREADABLE;
    expect(await refusals('webhook', { isActive: true }, unreadable)).toEqual([message, message]);
  });
});
