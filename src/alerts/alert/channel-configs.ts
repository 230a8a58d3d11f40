import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { SecretBox } from '../../infrastructure/secrets/secret-box.js';
import { configErrors } from '../../messages/channels/channels.js';
import type { Alert } from './alert.entity.js';
import type { ChannelConfig } from '../../messages/channels/channel-config.js';

/** The encrypted channel configuration of an alert. */
export type SealedConfig = Pick<Alert, 'workspaceId' | 'id' | 'sealedChannelConfig'>;

/** Checks, encrypts and decrypts channel configurations. */
@Injectable()
export class ChannelConfigs {
  constructor(
    private readonly box: SecretBox,
    private readonly http: OutboundHttpClient,
  ) {}

  /** Throws 400 for a configuration that the channel cannot have. */
  check(channel: string, config: Record<string, unknown>): void {
    const errors = configErrors(channel, config, (url) => this.http.refuseUrl(url));
    if (errors.length > 0) throw Problem.validation(errors);
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

  /** Encrypts a stored configuration again with the current sealing key. Throws `SecretUnreadableError`. */
  reseal({ workspaceId, id, sealedChannelConfig }: SealedConfig): SealedConfig {
    const resealed = this.box.reseal(sealedChannelConfig, { workspaceId, purpose: purposeOf(id) });
    return { workspaceId, id, sealedChannelConfig: resealed };
  }
}

const purposeOf = (id: string): string => `alert:${id}:channel_config`;
