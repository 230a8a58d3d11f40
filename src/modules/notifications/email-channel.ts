import { createTransport } from 'nodemailer';
import type { AlertNotification, Channel, DeliveryOutcome } from './channel.js';
import { type ChannelConfig, recipientsOf } from './channel-config.js';
import { renderEmail } from './email-message.js';
import { unsendable } from './post-json.js';

/** Settings of the operator's mail server. */
export interface EmailSettings {
  /** `smtp://` or `smtps://` address. */
  smtpUrl: string;
  from: string;
  /** Recipients of alerts that name none. */
  defaultTo?: string;
  /** Time limit of one message, from the attempt to the server's answer, in milliseconds. */
  timeoutMs: number;
}

/** Messages that wait for the mail server; beyond it an attempt fails at once and is retried later. */
const MAX_PENDING = 100;
/** Sends notifications by e-mail, over a small pool of connections to the operator's server. */
export class EmailChannel implements Channel {
  private readonly transport;
  private pending = 0;

  constructor(private readonly settings: EmailSettings) {
    const { timeoutMs } = settings;
    this.transport = createTransport({
      url: settings.smtpUrl,
      pool: true,
      maxConnections: 3,
      maxMessages: 100,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send(
    notification: AlertNotification,
    config: ChannelConfig,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    const to =
      config.to === undefined
        ? recipientsOf(this.settings.defaultTo, { allowLocalHosts: true })
        : recipientsOf(config.to);
    if (to === null) return unsendable('There is no recipient: set channel_config.to, or ALERT_EMAIL_TO');
    if (this.pending >= MAX_PENDING)
      return { ok: false, responseCode: null, durationMs: 0, error: 'Too many e-mails are waiting' };
    if (signal.aborted)
      return { ok: false, responseCode: null, durationMs: 0, error: 'The attempt was aborted' };
    const startedAt = performance.now();
    const took = (): number => Math.round(performance.now() - startedAt);
    this.pending += 1;
    const sending = this.transport
      .sendMail(this.messageFor(notification, to))
      .finally(() => (this.pending -= 1));
    try {
      await withDeadline(sending, this.settings.timeoutMs, signal);
      return { ok: true, responseCode: 250, durationMs: took() };
    } catch (error) {
      return { ok: false, durationMs: took(), ...failureOf(error) };
    }
  }

  /** Closes the pooled connections. */
  close(): void {
    this.transport.close();
  }

  private messageFor(notification: AlertNotification, to: string[]) {
    const { from } = this.settings;
    const sender = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
    return {
      from,
      to: to.map((address) => ({ name: '', address })),
      // The same for every attempt, so that a mailbox can drop duplicates.
      messageId: `<${notification.id}@${sender.split('@').at(-1)}>`,
      list: {
        unsubscribe: { url: `mailto:${sender}?subject=unsubscribe%20${notification.alertId}`, comment: '' },
      },
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...renderEmail(notification),
    };
  }
}

/** RFC 5321, 4.2.1: 5yz is permanent, 4yz transient. A refused login is retried, because the operator can correct it. */
function failureOf(error: unknown): Pick<DeliveryOutcome, 'responseCode' | 'permanent' | 'error'> {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  const status = typeof responseCode === 'number' ? responseCode : null;
  const isFinal = status !== null && status >= 500 && code !== 'EAUTH';
  const reason = typeof code === 'string' ? ` (${code})` : '';
  return {
    responseCode: status,
    ...(isFinal ? { permanent: true } : {}),
    error:
      status === null
        ? `The mail server gave no answer${reason}`
        : `The mail server answered ${status}${reason}`,
  };
}

/** Stops waiting at the timeout or the signal; a message that the server already has may still arrive. */
async function withDeadline(work: Promise<unknown>, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let onAbort = (): void => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    onAbort = () =>
      reject(Object.assign(new Error('stopped'), { code: signal.aborted ? 'ABORTED' : 'ETIMEDOUT' }));
    if (stop.aborted) onAbort();
    else stop.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([work, stopped]);
  } finally {
    stop.removeEventListener('abort', onAbort);
  }
}
