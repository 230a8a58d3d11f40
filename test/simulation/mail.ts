import { AsyncLocalStorage } from 'node:async_hooks';
import type { Channel, DeliveryOutcome } from '../../src/messages/channels/channel.js';
import { EmailChannel } from '../../src/messages/channels/email-channel.js';
import type { MailLimits } from '../../src/messages/channels/mail-limits.js';
import type { ServiceProcess } from './processes.js';

const NEVER_MS = 2 ** 31 - 1;
const NO_LIMITS = { isAllowed: () => true, count: () => Promise.resolve(null) };

/** A message of the service, as far as the mail server of the world reads it. */
interface Message {
  to: readonly { address: string }[];
}

/** A message for the mail server, and the process that sends it. */
export interface ArrivedMail {
  process: ServiceProcess;
  /** Of the delivery. */
  id: string;
  to: readonly string[];
}

/** What the mail server does with a message; `isLost` when the process does not get to know. */
export interface MailTreatment {
  taken: readonly string[];
  isLost: boolean;
}

/** Resolves when the mail server has answered, or the connection is lost. */
export type MailServer = (mail: ArrivedMail) => Promise<MailTreatment>;

/** The part of a `DestinationLoader` that sends by its channels. */
interface Loader {
  channels: Map<string, Channel>;
  traced: (
    delivery: { deliveryId: string },
    work: () => Promise<DeliveryOutcome>,
  ) => Promise<DeliveryOutcome>;
}

/** Puts the service's channel for e-mails in front of a mail server of the world. */
export function installMail(loader: object, process: ServiceProcess, server: MailServer): void {
  const limits = NO_LIMITS as unknown as MailLimits;
  const settings = {
    smtpUrl: 'smtp://mail.invalid',
    from: 'service@example.org',
    timeoutMs: NEVER_MS,
    limits,
  };
  const deliveries = new AsyncLocalStorage<string>();
  const sendMail = async ({ to }: Message): Promise<{ rejectedErrors: object[] }> => {
    const recipients = to.map(({ address }) => address);
    const { taken, isLost } = await server({ process, id: deliveries.getStore()!, to: recipients });
    if (isLost) throw Object.assign(new Error('connection lost'), { code: 'ECONNECTION' });
    const refused = recipients.filter((one) => !taken.includes(one));
    const rejectedErrors = refused.map((recipient) => ({ recipient, responseCode: 450 }));
    if (taken.length === 0) throw Object.assign(new Error('refused'), { responseCode: 450, rejectedErrors });
    return { rejectedErrors };
  };
  const { channels } = loader as Loader;
  channels.set('email', Object.assign(new EmailChannel(settings), { transport: { sendMail } }));
  (loader as Loader).traced = ({ deliveryId }, work) => deliveries.run(deliveryId, work);
}
