import { postSigned } from '../../messages/channels/webhook-channel.js';
import type { TransportDefinition } from './transport.js';

/** Posts each event to an address, signed if there is a secret. */
export const HTTP: TransportDefinition = {
  name: 'http',
  schemes: ['http:', 'https:'],
  requiredSecret: null,
  refuse: (address, http) => http.refuseUrl(address),
  create: ({ http, clock, timeoutMs }) => ({
    send: ({ destination: _, type: _type, ...event }) =>
      postSigned(http, { ...event, timestamp: clock.now(), timeoutMs }),
  }),
};
