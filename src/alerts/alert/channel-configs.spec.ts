import { randomBytes, randomUUID } from 'node:crypto';
import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { ChannelConfigs } from './channel-configs.js';

describe('ChannelConfigs', () => {
  const configs = new ChannelConfigs(new SecretBox([randomBytes(32)]), {} as OutboundHttpClient);
  const config = { webhook_url: 'https://example.com/hook' };
  const [workspaceId, id, other] = [randomUUID(), randomUUID(), randomUUID()];
  const sealedChannelConfig = configs.seal(workspaceId, id, config);

  it('opens a configuration for its own alert', () => {
    expect(configs.open({ workspaceId, id, sealedChannelConfig })).toEqual(config);
  });

  it.each([
    ['alert', { workspaceId, id: other }],
    ['workspace', { workspaceId: other, id }],
  ])('does not open a configuration that was copied to another %s', (_what, owner) => {
    expect(() => configs.open({ ...owner, sealedChannelConfig })).toThrow(SecretUnreadableError);
  });
});
