import type {
  MsgHdrs,
  NatsConnection,
  NatsConnectionImpl,
  ProtocolHandler,
} from '@nats-io/nats-core/internal';
import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import { NatsFailure, natsFailureOf } from './nats-failure.js';
import { type NatsConnectionOptions, NatsSocket } from './nats-socket.js';

type Client = typeof import('@nats-io/nats-core/internal');

/** Longer than a connection may take to open. */
const CLIENT_TIMEOUT_MS = 600_000;

/** An open connection of the client. */
export interface OpenNats {
  connection: NatsConnection;
  createHeaders: () => MsgHdrs;
  loss: NatsConnectionOptions['loss'];
}

/** Loads the client, which only NATS servers need, and lets it introduce itself over a socket. Rejects with {@link NatsFailure}. */
export async function openNats(
  connected: Omit<NatsConnectionOptions, 'loss'>,
  credential: { token: string } | { user: string; pass: string },
): Promise<OpenNats> {
  const client = await import('@nats-io/nats-core/internal');
  client.setTransportFactory({ factory: () => new NatsSocket() });
  const options: NatsConnectionOptions = {
    ...connected,
    ...credential,
    loss: { reason: undefined },
    servers: [new URL(`http://${connected.host}`).host],
    name: 'workspace-scraping-service',
    // The next event opens another connection.
    reconnect: false,
    ignoreClusterUpdates: true,
    noAsyncTraces: true,
    resolve: false,
    timeout: CLIENT_TIMEOUT_MS,
  };
  try {
    return { connection: await dialled(client, options), createHeaders: client.headers, loss: options.loss };
  } catch (error) {
    throw new NatsFailure(natsFailureOf(options.loss.reason ?? error));
  }
}

/** As the client's own `connect`, which would print to the log what it cannot read, and wait on. */
async function dialled(client: Client, options: NatsConnectionOptions): Promise<NatsConnection> {
  const connection = Reflect.construct(client.NatsConnectionImpl, [options]) as NatsConnectionImpl;
  class Handler extends client.ProtocolHandler {
    override resetOutbound(): void {
      super.resetOutbound();
      endAtUnreadable(this);
    }
  }
  const handler = new Handler(connection.options, connection);
  await handler.dialLoop();
  connection.protocol = handler;
  return connection;
}

/** Ends the connection of a handler at the first bytes that its new parser cannot read. */
function endAtUnreadable(handler: ProtocolHandler): void {
  const { parser } = handler;
  const parse = parser.parse.bind(parser);
  parser.parse = (bytes) => {
    if (handler.transport.isClosed) return;
    try {
      parse(bytes);
    } catch {
      void handler.transport.close(new OutboundError('bad_answer', 'The server does not speak NATS'));
    }
  };
}
