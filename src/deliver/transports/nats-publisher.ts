import type { Msg } from '@nats-io/nats-core/internal';
import { type BrokerMessage, BrokerPublisher } from './broker-publisher.js';
import type { NatsAddress } from './nats-address.js';
import { natsFailureOf } from './nats-failure.js';
import type { OpenNats } from './nats-client.js';

/** Longer than any caller waits. */
const MAX_WAIT_MS = 600_000;
/** Of a confirmation. */
const MAX_ANSWER_BYTES = 4_096;

const NO_STREAM = 'The subject is answered by a program that is no stream';

/** Publishes messages that a stream confirms, and that it does not keep twice within its time for duplicates. */
export class NatsPublisher extends BrokerPublisher<NatsAddress> {
  constructor(
    private readonly open: OpenNats,
    onRetired: () => void,
  ) {
    super(onRetired);
    void open.connection.closed().then((error) => this.end(this.failureOf(error)));
  }

  protected transmit({ id, address, body, mediaType }: BrokerMessage<NatsAddress>): void {
    const headers = this.open.createHeaders();
    headers.set('Nats-Msg-Id', id);
    headers.set('Content-Type', mediaType);
    this.open.connection.request(address.subject, body, { timeout: MAX_WAIT_MS, headers }).then(
      (answer) => this.settle(id, refusalOf(answer)),
      (error) => this.settle(id, this.failureOf(error)),
    );
  }

  protected disconnect(): void {
    void this.open.connection.close();
  }

  private failureOf(error: unknown): string {
    return natsFailureOf(this.open.loss.reason ?? error ?? new Error('connection closed'));
  }
}

/** Null when a stream has kept the message, else why not. */
function refusalOf({ data }: Msg): string | null {
  if (data.length > MAX_ANSWER_BYTES) return NO_STREAM;
  let answer: { stream?: unknown; error?: { code?: unknown; err_code?: unknown } } | null;
  try {
    answer = JSON.parse(Buffer.from(data).toString()) as typeof answer;
  } catch {
    return NO_STREAM;
  }
  if (answer?.error)
    return `The stream refused the message (code ${Number(answer.error.code)}, err_code ${Number(answer.error.err_code)})`;
  return typeof answer?.stream === 'string' ? null : NO_STREAM;
}
