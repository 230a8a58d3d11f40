import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';
import { FairShare } from '../../common/fair-share.js';
import type { AlertNotification, Channel, ChannelDefinition, DeliveryOutcome } from './channel.js';
import { type ChannelConfig, recipientsOf } from './channel-config.js';
import { renderEmail } from './email-message.js';
import { headerText } from './header-text.js';
import { MailLimits } from './mail-limits.js';
import { mailTransport } from './mail-transport.js';
import { RECIPIENTS } from './channel-settings.js';
import { unsendable } from './post-json.js';

/** Settings of the operator's mail server. */
export interface EmailSettings {
  /** URL with the scheme `smtp://` or `smtps://`. */
  smtpUrl: string;
  from: string;
  /** Recipients of alerts that do not name any. */
  defaultTo?: string;
  /** Timeout of one message in milliseconds, from the start of the attempt to the server's response. */
  timeoutMs: number;
  limits: MailLimits;
}

/**
 * Maximum number of messages waiting for the mail server, divided into shares for the workspaces. Beyond it an attempt
 * fails and is retried.
 */
export const MAX_PENDING = 100;
const CONNECTIONS = 3;
/** Number of one workspace's messages that are sent concurrently; the others wait behind those of other workspaces. */
const CONCURRENCY_PER_WORKSPACE = 2;
/** Number of workspaces whose concurrency limit is remembered. */
const MAX_TURNS = 1_000;

/** E-mail through the operator's mail server. */
export const EMAIL: ChannelDefinition = {
  name: 'email',
  title: 'Email',
  fields: [RECIPIENTS],
  obstacle: ({ to }, { SMTP_URL, ALERT_EMAIL_TO }) => {
    if (SMTP_URL === undefined)
      return {
        code: 'no_mail_server',
        message:
          'Nothing is sent by email: the operator has not set SMTP_URL. Webhooks and the list of matches are not affected.',
      };
    if (to != null || ALERT_EMAIL_TO !== undefined) return null;
    return {
      code: 'no_recipient',
      message:
        'Nothing is sent by email: add `to` to `channel_config`, or let the operator set ALERT_EMAIL_TO.',
    };
  },
  create: ({ environment, redis }) => {
    const { SMTP_URL, MAIL_FROM, ALERT_EMAIL_TO, ALERT_EMAIL_ALLOWED, WEBHOOK_TIMEOUT_MS } = environment;
    if (SMTP_URL === undefined)
      return { send: () => Promise.resolve(unsendable('No mail server is configured: set SMTP_URL')) };
    return new EmailChannel({
      smtpUrl: SMTP_URL,
      from: MAIL_FROM!,
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      limits: MailLimits.shared(ALERT_EMAIL_ALLOWED, redis),
      ...(ALERT_EMAIL_TO !== undefined && { defaultTo: ALERT_EMAIL_TO }),
    });
  },
};

/** Sends notifications by e-mail, over a small pool of connections to the operator's server. */
export class EmailChannel implements Channel {
  private readonly transport;
  private readonly pending = new FairShare(MAX_PENDING);
  private readonly turns = new LRUCache<string, LimitFunction>({ max: MAX_TURNS });

  constructor(private readonly settings: EmailSettings) {
    const pool = { pool: true, maxConnections: CONNECTIONS, maxMessages: 100 };
    this.transport = mailTransport(settings.smtpUrl, settings.timeoutMs, pool);
  }

  async send(
    notification: AlertNotification,
    config: ChannelConfig,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    const to = this.recipients(config);
    if (to === null) return unsendable('No recipient is configured: set channel_config.to or ALERT_EMAIL_TO');
    if (config.to != null && !to.every((address) => this.settings.limits.isAllowed(address)))
      return unsendable('A recipient is not in ALERT_EMAIL_ALLOWED; ask the operator to add it');
    const { workspaceId, remaining = null } = notification;
    const open = remaining === null ? to : to.filter((address) => remaining.includes(address));
    // The recipients that were left have been removed from the alert.
    if (open.length === 0) return { ok: true, responseCode: null, durationMs: 0 };
    if (this.pending.available(workspaceId) < 1)
      return { ok: false, responseCode: null, durationMs: 0, error: 'Too many emails are queued' };
    // Reserve the slot before the first await, so that simultaneous attempts cannot exceed the share.
    this.pending.take(workspaceId, 1);
    const refusal = await this.settings.limits.count(workspaceId, open);
    // Addresses of the operator are not shown to a workspace.
    if (refusal === null) return this.transmit(notification, open, config.to != null, signal);
    this.pending.take(workspaceId, -1);
    return unsendable(refusal);
  }

  /** Closes the pooled connections. */
  close(): void {
    this.transport.close();
  }

  private recipients(config: ChannelConfig): string[] | null {
    return config.to == null
      ? recipientsOf(this.settings.defaultTo, { allowLocalHosts: true })
      : recipientsOf(config.to);
  }

  /** Sends a message to the mail server when it is the workspace's turn, and releases its pending slot. */
  private async transmit(
    notification: AlertNotification,
    to: string[],
    mayNameThem: boolean,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    const startedAt = performance.now();
    const took = (): number => Math.round(performance.now() - startedAt);
    const stop = AbortSignal.any([signal, AbortSignal.timeout(this.settings.timeoutMs)]);
    const { workspaceId } = notification;
    const sending = this.turnOf(workspaceId)(() => {
      stop.throwIfAborted();
      return this.transport.sendMail(this.messageFor(notification, to));
    }).finally(() => this.pending.take(workspaceId, -1));
    try {
      const sent = await orAborted(sending, stop);
      const refused = refusalsOf(sent);
      return refused.length === 0
        ? { ok: true, responseCode: 250, durationMs: took() }
        : { ok: false, durationMs: took(), isPartial: true, ...refusedBy(refused, to, mayNameThem) };
    } catch (error) {
      const refused = to.length > 1 ? refusalsOf(error) : [];
      const failure = refused.length > 0 ? refusedBy(refused, to, mayNameThem) : failureOf(error, stop);
      return { ok: false, durationMs: took(), ...failure };
    }
  }

  private turnOf(workspaceId: string): LimitFunction {
    const turn = this.turns.get(workspaceId) ?? pLimit(CONCURRENCY_PER_WORKSPACE);
    this.turns.set(workspaceId, turn);
    return turn;
  }

  private messageFor(notification: AlertNotification, to: string[]) {
    const { from } = this.settings;
    const content = renderEmail(notification);
    const sender = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
    const oneClick = notification.unsubscribe?.oneClick;
    const byMail = `mailto:${sender}?subject=unsubscribe%20${notification.alertId}`;
    return {
      from,
      to: to.map((address) => ({ name: '', address })),
      // The same for every attempt, so that mailboxes can discard duplicates.
      messageId: `<${notification.id}@${sender.split('@').at(-1)}>`,
      list: { unsubscribe: { url: oneClick ?? byMail, comment: '' } },
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(oneClick !== undefined && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      },
      ...content,
      subject: headerText(content.subject),
    };
  }
}

/** A recipient that the mail server refused, and its response. */
interface Refusal {
  address: string;
  code: number | null;
}

/** The refused recipients of a message that was sent to the others, or of one that was sent to none. */
function refusalsOf(result: unknown): Refusal[] {
  const { rejectedErrors } = (result ?? {}) as { rejectedErrors?: unknown };
  if (!Array.isArray(rejectedErrors)) return [];
  return rejectedErrors.map((error: { recipient?: unknown; responseCode?: unknown }) => ({
    address: String(error.recipient),
    code: typeof error.responseCode === 'number' ? error.responseCode : null,
  }));
}

/** Only refused recipients are tried again, unless all of them were refused for good. */
function refusedBy(
  refused: readonly Refusal[],
  to: readonly string[],
  mayNameThem: boolean,
): Pick<DeliveryOutcome, 'responseCode' | 'permanent' | 'error' | 'remaining'> {
  const isFinal = ({ code }: Refusal): boolean => code !== null && code >= 500;
  const { code } = refused.find((one) => !isFinal(one)) ?? refused[0]!;
  const names = refused.map((one) => `${mayNameThem ? `${one.address} ` : ''}${one.code ?? 'no response'}`);
  return {
    responseCode: code,
    ...(refused.every(isFinal) ? { permanent: true } : {}),
    remaining: refused.map(({ address }) => address),
    error: `The mail server refused ${refused.length} of ${to.length} recipients: ${names.join(', ')}`,
  };
}

/**
 * RFC 5321, 4.2.1: 5yz is permanent, 4yz transient. A rejected login is retried, because the operator can correct the
 * credentials.
 */
function failureOf(
  error: unknown,
  stop: AbortSignal,
): Pick<DeliveryOutcome, 'responseCode' | 'permanent' | 'error'> {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  const status = typeof responseCode === 'number' ? responseCode : null;
  const isFinal = status !== null && status >= 500 && code !== 'EAUTH';
  // The timers of the transport have the length of the attempt, so either of them can end it.
  const name = stop.aborted || code === 'ETIMEDOUT' ? 'timeout or shutdown' : code;
  const reason = typeof name === 'string' ? ` (${name})` : '';
  return {
    responseCode: status,
    ...(isFinal ? { permanent: true } : {}),
    error:
      status === null
        ? `The mail server did not respond${reason}`
        : `The mail server responded with ${status}${reason}`,
  };
}

/** Stops waiting when the signal aborts; a message that the server has already received may still be delivered. */
async function orAborted<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(new Error('The attempt was aborted'));
    if (stop.aborted) onAbort();
    else stop.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop.removeEventListener('abort', onAbort);
  }
}
