import type { ArrivedMail } from '../mail.js';
import type { ServiceProcess } from '../processes.js';
import { Violation } from '../violation.js';
import { isSound } from './leases.js';

/** When a process got to know that a recipient has a message. */
interface Known {
  since: number;
  process: ServiceProcess;
}

/** Every recipient gets a notification, and none a second time after the first is recorded. */
export class MailModel {
  /** By delivery, its recipients who were reached. */
  private readonly reached = new Map<string, Map<string, Known | null>>();
  /** By delivery, all to whom it is addressed. */
  private readonly addressed = new Map<string, readonly string[]>();
  private broken: string | null = null;

  constructor(private readonly now: () => number) {}

  /** A message reaches the mail server, which takes it for some of its recipients, and says so unless that is lost. */
  arrived({ process, id, to }: ArrivedMail, taken: readonly string[], isLost: boolean): void {
    const reached = this.reached.get(id) ?? new Map<string, Known | null>();
    this.reached.set(id, reached);
    if (!this.addressed.has(id)) this.addressed.set(id, to);
    const again = to.find((one) => {
      const known = reached.get(one);
      return known != null && !known.process.isDead && known.process.disturbedAt < known.since;
    });
    if (again !== undefined && isSound(process, this.now()))
      this.broken ??= `Delivery ${id} was sent to ${again} again`;
    for (const one of taken) reached.set(one, isLost ? null : { since: this.now(), process });
  }

  /** Whether all recipients have the message. */
  isComplete(id: string): boolean {
    return this.addressed.get(id)!.every((one) => this.reached.get(id)!.has(one));
  }

  check(): void {
    if (this.broken !== null) throw new Violation(this.broken);
  }
}
