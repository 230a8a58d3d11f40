import type { Random } from './random.js';

const FAULTS = ['kill', 'outage', 'lose', 'pause'] as const;
/** What happens at a statement: to its process, or in an outage to all of them. */
export type Fault = (typeof FAULTS)[number];

/** A chance for each fault. */
type Chances = Readonly<Record<Fault, number>>;

const ANYWHERE: Chances = { kill: 0.001, outage: 0, lose: 0.003, pause: 0.002 };
/** How the faults of a site are divided. */
const AT_SITE: Chances = { kill: 0.35, outage: 0.05, lose: 0.3, pause: 0.3 };

/**
 * Decides where processes fail: at each statement with a small chance, and at each site, which is a statement after those
 * before it in its transaction, with a chance that falls with every visit. So a rare transaction fails about as often as a
 * frequent one, at each of its statements.
 */
export class Faults {
  /** How much more often statements fail, anywhere and at commits. */
  private readonly wildness: number;
  private readonly commits: number;
  /** Chance of a fault at the first visit of a site. */
  private readonly curiosity: number;
  private readonly visits = new Map<string, number>();

  constructor(private readonly random: Random) {
    this.wildness = random.pick([0, 0, 1, 3]);
    this.commits = random.pick([2.5, 10]);
    this.curiosity = random.pick([0.1, 0.3]);
  }

  /** The fault at a statement, which is null for most; `isChanging` in a transaction that has changed or locked rows. */
  at({ site, isCommit }: { site: string; isCommit: boolean }, isChanging: boolean): Fault | null {
    const visits = this.visits.get(site) ?? 0;
    this.visits.set(site, visits + 1);
    const weight = this.wildness * (!isChanging ? 0.5 : isCommit ? this.commits : 2.5);
    const curiosity = this.curiosity / (1 + visits);
    let luck = this.random.next();
    for (const fault of FAULTS) {
      luck -= ANYWHERE[fault] * weight + AT_SITE[fault] * curiosity;
      if (luck < 0) return fault;
    }
    return null;
  }
}
