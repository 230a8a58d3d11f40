import { createTransport, type Transporter } from 'nodemailer';

/**
 * A connection to the operator's mail server (`smtp://` or `smtps://`) whose every wait ends after `timeoutMs`, and
 * which reads no files or addresses that a message names.
 */
export function mailTransport(url: string, timeoutMs: number, pool: object = {}): Transporter {
  return createTransport({
    url,
    ...pool,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
