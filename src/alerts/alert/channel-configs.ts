import { Injectable, Logger } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import type { ChannelConfig } from '../../messages/channels/channel-config.js';
import { configErrors, replacedConfig } from '../../messages/channels/channels.js';
import type { Alert } from './alert.entity.js';

/** The encrypted channel configuration of an alert or report. */
export type SealedConfig = Pick<Alert, 'workspaceId' | 'id' | 'sealedChannelConfig'>;

/** The columns of a channel; a changed channel starts with a clean state. */
type ChannelColumns = Pick<Alert, 'channel'> &
  Partial<Pick<Alert, 'sealedChannelConfig' | 'channelFailingSince' | 'channelDisabledReason'>>;

/** Checks, encrypts and decrypts channel configurations. */
@Injectable()
export class ChannelConfigs {
  private readonly logger = new Logger(ChannelConfigs.name);

  constructor(
    private readonly box: SecretBox,
    private readonly http: OutboundHttpClient,
  ) {}

  /** Throws 400 for a configuration that its channel cannot use. */
  check(channel: string, config: Record<string, unknown>): void {
    const errors = configErrors(channel, config, (url) => this.http.refuseUrl(url));
    if (errors.length > 0) throw Problem.validation(errors);
  }

  /** The configuration after a request that may replace it, and the columns that change. Throws 400. */
  change(
    stored: SealedConfig & Pick<Alert, 'channel'>,
    request: { channel?: string | undefined; channel_config?: Record<string, unknown> | undefined },
  ): { config: ChannelConfig; columns: ChannelColumns } {
    const channel = request.channel ?? stored.channel;
    const before = this.openOrEmpty(stored);
    // A configuration that can no longer be read or used must not prevent other changes.
    if (request.channel == null && request.channel_config == null)
      return { config: before, columns: { channel } };
    const config = request.channel_config == null ? before : replacedConfig(before, request.channel_config);
    this.check(channel, config);
    const sealedChannelConfig = this.seal(stored.workspaceId, stored.id, config);
    return {
      config,
      columns: {
        channel,
        ...(request.channel_config != null && { sealedChannelConfig }),
        ...CLEAN_STATE,
      },
    };
  }

  seal(workspaceId: string, id: string, config: ChannelConfig): string {
    return this.box.seal(JSON.stringify(config), { workspaceId, purpose: purposeOf(id) });
  }

  /** Throws `SecretUnreadableError`. */
  open({ workspaceId, id, sealedChannelConfig }: SealedConfig): ChannelConfig {
    return JSON.parse(
      this.box.open(sealedChannelConfig, { workspaceId, purpose: purposeOf(id) }),
    ) as ChannelConfig;
  }

  /** Empty when the encryption key is lost: the record stays visible, so that its configuration can be replaced. */
  openOrEmpty(stored: SealedConfig): ChannelConfig {
    try {
      return this.open(stored);
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      const { workspaceId, id } = stored;
      this.logger.error({ err: error, workspaceId, id }, 'channel configuration unreadable');
      return {};
    }
  }

  /** Encrypts a stored configuration again with the current sealing key. Throws `SecretUnreadableError`. */
  reseal({ workspaceId, id, sealedChannelConfig }: SealedConfig): SealedConfig {
    const resealed = this.box.reseal(sealedChannelConfig, { workspaceId, purpose: purposeOf(id) });
    return { workspaceId, id, sealedChannelConfig: resealed };
  }
}

/** The state of a channel to which nothing was sent. */
export const CLEAN_STATE = { channelFailingSince: null, channelDisabledReason: null };

/** Ids are unique, so reports need no purpose of their own. */
const purposeOf = (id: string): string => `alert:${id}:channel_config`;
