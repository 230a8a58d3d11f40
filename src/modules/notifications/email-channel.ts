import { createTransport } from 'nodemailer';
import type { AlertNotification, Channel, ChannelConfig, DeliveryOutcome } from './channel.js';
import { renderEmail } from './email-message.js';
import { undeliverable } from './post-outcome.js';

export interface EmailSettings {
  /** `smtp://` or `smtps://` address of the operator's server. */
  smtpUrl: string;
  from: string;
  /** Who is written to when an alert names nobody. */
  defaultTo?: string;
  /** For everything of one message together, in milliseconds. */
  timeoutMs: number;
}

const MAX_RECIPIENTS = 10;
/** Messages handed over and not yet answered; beyond it an attempt fails at once and is made again later. */
const MAX_PENDING = 100;
/** One recipient, without a name or a comment in which a second one could hide. */
const ADDRESS = /^[^\s@<>()[\],;:\\"\p{Cc}]{1,64}@[^\s@<>()[\],;:\\"\p{Cc}]{1,253}$/u;

/** Recipients of an alert; null when there is none or one of them is not an address. */
export function recipientsOf(to: unknown): string[] | null {
  const given: readonly unknown[] = typeof to === 'string' ? to.split(',') : Array.isArray(to) ? to : [];
  const addresses = given.map((part) => (typeof part === 'string' ? part.trim() : ''));
  const isSound = addresses.length > 0 && addresses.length <= MAX_RECIPIENTS;
  return isSound && addresses.every((address) => ADDRESS.test(address)) ? addresses : null;
}

/** Tells alerts by e-mail, over a small pool of connections to the operator's server. */
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
    const to = recipientsOf(config.to ?? this.settings.defaultTo);
    if (to === null) return undeliverable('There is no recipient: set channel_config.to, or ALERT_EMAIL_TO');
    if (this.pending >= MAX_PENDING)
      return { ok: false, responseCode: null, durationMs: 0, error: 'Too many e-mails are waiting' };
    if (signal.aborted) return { ok: false, responseCode: null, durationMs: 0, error: 'Called off' };
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

  /** Closes pooled connections. */
  close(): void {
    this.transport.close();
  }

  private messageFor(notification: AlertNotification, to: string[]) {
    const { from } = this.settings;
    const sender = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
    return {
      from,
      to: to.map((address) => ({ name: '', address })),
      // The same over every attempt, so that a mailbox can tell a repeat.
      messageId: `<${notification.id}@${sender.split('@').at(-1)}>`,
      list: {
        unsubscribe: { url: `mailto:${sender}?subject=unsubscribe%20${notification.alertId}`, comment: '' },
      },
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...renderEmail(notification),
    };
  }
}

/** RFC 5321, 4.2.1: 5yz is final, 4yz may pass. A refused log-in is the operator's to mend, so it is tried again. */
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

/** Stops waiting at the time-out or the signal; a message already handed over may still arrive. */
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
