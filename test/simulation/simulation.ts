import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Logger } from '@nestjs/common';
import type { Environment } from '../../src/config/environment.js';
import { parseEnvironment } from '../../src/config/environment.js';
import type { SimulatedDatabase } from './cluster.js';
import { Faults } from './faults.js';
import { History } from './history.js';
import { checkAlways } from './models/always.js';
import { checkEnd } from './models/end.js';
import { checkSessions } from './models/sessions.js';
import { type Held, LeaseModel, moveClock } from './models/leases.js';
import { ReadingModel } from './models/readings.js';
import { MailModel } from './models/mails.js';
import { DeliveryModel, type DeliveryRow, RETRIES_MS, type RetryRow } from './models/deliveries.js';
import { type Kind, KINDS, newSecrets, type ServiceProcess, startProcess } from './processes.js';
import type { ArrivedMail, MailTreatment } from './mail.js';
import { Random } from './random.js';
import { Requests } from './requests.js';
import { Violation } from './violation.js';
import { settle } from './settings.js';
import { type Statement, Statements } from './statements.js';
import { type Arrived, type Treatment, VirtualNetwork } from './virtual-network.js';
import { VirtualTime } from './virtual-time.js';
import { DAY_MS, HOUR_MS, World, type WorldReceiver } from './world.js';

const PROCESSES = 3;
const PENDING_JOBS = 3;
/** Many times as much as a day takes. */
const STEPS_OF_DAY = 12_000;
/** How long a process waits for a mail server that says nothing. */
const HANGS_MS = 2_000;
/** Time after the last fault in which all work must end. */
const REST_MS = 30 * HOUR_MS;

/** The result of one seed. */
export interface Result {
  digest: string;
  /** What happened, in number. */
  events: number;
  violation: string | null;
  lastLines: string;
}

/** Runs a simulation in this process, whose clocks and connections it replaces. */
export class Simulator {
  readonly time = new VirtualTime();
  random = new Random(0);
  /** What code of the service draws. */
  private drawn = new Random(0);
  history = new History(() => 0, null);
  readonly statements: Statements;
  readonly network: VirtualNetwork;
  private readonly environment: Environment;
  private readonly secrets = newSecrets();

  constructor(private readonly database: SimulatedDatabase) {
    this.statements = new Statements(this.time, database.control, () => this.history);
    this.network = new VirtualNetwork(this.time, () => this.random);
    this.environment = parseEnvironment({
      DATABASE_URL: 'postgres://unused',
      REDIS_URL: 'redis://unused',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_TIMEOUT_MS: '2000',
      WEBHOOK_RETRY_SCHEDULE: RETRIES_MS.map((wait) => `${wait / 1_000}s`).join(),
      QUOTA_PENDING_JOBS: String(PENDING_JOBS),
      RECHECK_DELETED_HOURS: '12',
    });
  }

  /** Replaces what is not repeatable in this process. */
  install(): void {
    this.time.install();
    this.statements.install();
    this.network.install();
    Math.random = () => this.drawn.next();
    const bytes = (count: number): Buffer =>
      Buffer.from(Array.from({ length: count }, () => this.drawn.below(256)));
    Object.assign(crypto, { randomUUID: () => this.drawn.uuid(), randomBytes: bytes });
    syncBuiltinESMExports();
    const log =
      (level: string) =>
      (given: unknown, ...rest: unknown[]) => {
        const error = (given as { err?: Error }).err;
        const { name } = this.time.actor ?? { name: 'simulation' };
        this.history.add(`${name}: ${level}: ${String(rest.at(-2) ?? rest.at(-1))}: ${error?.message ?? ''}`);
      };
    Logger.overrideLogger({ log: () => undefined, warn: log('warning'), error: log('error') });
  }

  /** Simulates days of one seed. */
  async run(seed: number, days: number, print: ((line: string) => void) | null): Promise<Result> {
    this.random = new Random(seed);
    this.drawn = this.random.fork();
    const world = new World(this.random.fork());
    this.time.reset(world.start);
    this.history = new History(() => this.time.now, print);
    const run = new Run(this, world, this.database, {
      environment: this.environment,
      secrets: this.secrets,
    });
    let violation: string | null = null;
    try {
      await run.all(days);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      violation = error.message;
    } finally {
      await run.end();
    }
    const { lastLines, length: events } = this.history;
    return { digest: this.history.digest(), events, violation, lastLines };
  }
}

/** One seed. */
class Run {
  private readonly random: Random;
  private processes: ServiceProcess[] = [];
  private readonly dead: ServiceProcess[] = [];
  private readonly leases: LeaseModel;
  private readonly deliveries: DeliveryModel;
  private readonly mails: MailModel;
  private readonly readings: ReadingModel;
  private isHealed = false;
  private isPolled = false;
  private clockAt = 0;
  /** When all processes were last down for hours. */
  private outageAt = -Infinity;
  private readonly faults: Faults;
  private readonly requests: Requests;
  private readonly asleepUntil: Record<Kind, number>;

  constructor(
    private readonly simulator: Simulator,
    private readonly world: World,
    private readonly database: SimulatedDatabase,
    private readonly given: { environment: Environment; secrets: ReturnType<typeof newSecrets> },
  ) {
    this.random = simulator.random.fork();
    this.faults = new Faults(this.random.fork());
    this.requests = new Requests({
      ...{ world, time: simulator.time, random: this.random.fork() },
      history: () => simulator.history,
      processes: () => this.processes,
      isHealed: () => this.isHealed,
    });
    this.asleepUntil = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
    const now = (): number => simulator.time.now;
    this.leases = new LeaseModel(now);
    this.deliveries = new DeliveryModel(now);
    this.mails = new MailModel(now);
    this.readings = new ReadingModel(now);
    simulator.time.stretch = (delay) =>
      delay >= 500 && delay <= 1_000 ? delay * (2 + 3 * this.random.next()) : delay;
    simulator.network.treat = (request) => this.treat(request);
    simulator.network.ended = (request) => this.deliveries.ended(idOf(request));
  }

  async all(days: number): Promise<void> {
    const { time } = this.simulator;
    await this.database.warm();
    await settle(this.database.dataSource, this.world, this.given.secrets);
    for (let number = 1; number <= PROCESSES; number += 1) this.start(number);
    this.planPublishing();
    this.planBreakage();
    this.requests.plan();
    const end = this.world.start + days * DAY_MS;
    while (time.now < end) await this.step(end);
    this.heal();
    while (time.now < end + REST_MS) await this.step(end + REST_MS);
    await checkEnd(this.database.control, this.world, end, time.now);
    await this.readings.check(this.database.control, this.world);
    this.deliveries.checkEnd(await this.rowsOfDeliveries());
    await checkSessions(this.processes[0]!.container, this.world.workspaces[0]!, this.random.fork(), time);
  }

  /** Ends all processes. */
  async end(): Promise<void> {
    for (const process of this.processes) await this.simulator.statements.kill(process);
    for (const process of [...this.processes, ...this.dead]) this.simulator.network.close(process);
    this.simulator.time.reset(this.simulator.time.now);
  }

  private async rowsOfDeliveries(): Promise<DeliveryRow[]> {
    const { rows } = await this.database.control.query<DeliveryRow>(
      `SELECT id, destination_kind || '/' || destination_id AS destination, status, attempts, history FROM deliveries
       WHERE created_at < simulated.now() - interval '12 hours'`,
    );
    return rows;
  }

  /** One statement, one timer or message, or a poll. */
  private async step(end: number): Promise<void> {
    const { time, statements, history } = this.simulator;
    if (history.length > STEPS_OF_DAY * (1 + (time.now - this.world.start) / DAY_MS))
      throw new Violation('The processes repeat their work without an end');
    const eligible = statements.eligible();
    if (eligible.length > 0) return this.perform(this.random.pick(eligible));
    if (!this.isPolled) await this.planPoll();
    if ((time.nextAt ?? Infinity) >= end) {
      time.now = end;
      return;
    }
    time.advance();
    await statements.quiet();
  }

  private async perform(statement: Statement): Promise<void> {
    const { statements, time } = this.simulator;
    if (this.clockAt !== time.now) {
      this.clockAt = time.now;
      await moveClock(this.database.control, time.now, [...this.leases.held(), ...this.deliveries.held()]);
    }
    const process = statement.actor as ServiceProcess;
    const fault = this.isHealed ? null : this.faults.at(statement, statements.isChanging(statement));
    if (fault === 'kill' || fault === 'outage') {
      if (this.random.chance(0.5)) await statements.run(statement, true);
      await (fault === 'kill' ? this.killAlone(process) : this.outage());
    } else if (fault === 'lose') {
      process.disturbedAt = time.now;
      if (this.random.chance(0.5)) await statements.loseBefore(statement);
      else await statements.loseAfter(statement);
    } else if (fault === 'pause') this.pause(process);
    else await statements.run(statement);
    if (fault !== null && fault !== 'pause') await this.database.warm();
    this.leases.check();
    this.deliveries.check();
    this.mails.check();
  }

  private start(number: number): void {
    const { time, history } = this.simulator;
    const name = `process ${number}`;
    const process = startProcess(name, {
      ...this.given,
      dataSource: this.database.dataSource,
      world: this.world,
      random: this.random.fork(),
      now: () => time.now,
      isHealed: () => this.isHealed,
      readings: this.readings,
      mailServer: (mail: ArrivedMail) => this.mailed(mail),
      note: (text: string) => history.add(text),
      works: (actor: ServiceProcess, held: Held, begins: boolean) => this.leases.works(actor, held, begins),
    });
    history.add(`${name}: started, its clock ${process.skewMs} ms off`);
    this.processes.push(process);
  }

  private pause(process: ServiceProcess): void {
    const { history, time } = this.simulator;
    process.pausedUntil = time.now + this.random.below(this.random.pick([2_000, 15_000, 60_000]));
    process.disturbedAt = process.pausedUntil;
    history.add(`${process.name}: paused for ${process.pausedUntil - time.now} ms`);
    time.plan(process.pausedUntil, () => undefined);
  }

  /** Kills a process, which is started again after a time. */
  private async kill(process: ServiceProcess, lastsMs: number): Promise<void> {
    const { history, statements, network, time } = this.simulator;
    history.add(`${process.name}: killed`);
    this.processes = this.processes.filter((one) => one !== process);
    this.dead.push(process);
    await statements.kill(process);
    network.close(process);
    this.leases.ended(process);
    this.readings.ended(process);
    const number = Number(process.name.split(' ')[1]);
    time.plan(time.now + lastsMs, () => this.start(number));
  }

  private async killAlone(process: ServiceProcess): Promise<void> {
    await this.kill(process, this.random.below(this.random.pick([1_000, 60_000, HOUR_MS])));
    this.rest();
  }

  /** Kills all processes for hours; then half a day passes before it happens again. */
  private async outage(): Promise<void> {
    const { now } = this.simulator.time;
    const lastsMs = this.random.below(this.random.pick([HOUR_MS, 4 * HOUR_MS]));
    for (const process of this.processes)
      await this.kill(process, now < this.outageAt + DAY_MS / 2 ? this.random.below(60_000) : lastsMs);
    if (now >= this.outageAt + DAY_MS / 2) this.outageAt = now;
    this.rest();
  }

  /** Leaves some work undone for a while, even if it is due. */
  private rest(): void {
    for (const kind of KINDS)
      if (this.random.chance(0.2))
        this.asleepUntil[kind] = this.simulator.time.now + this.random.below(3 * HOUR_MS);
  }

  /** Lets processes do their repeated work when something is due, a little later, or much later. */
  private async planPoll(): Promise<void> {
    const { time } = this.simulator;
    await this.checkStored();
    const due = await this.dueTimes();
    for (const kind of KINDS) {
      // Some work is left undone for a while when it is due.
      if (due[kind] < time.now + HOUR_MS && !this.isHealed && this.random.chance(0.01))
        this.asleepUntil[kind] = time.now + this.random.below(this.random.pick([HOUR_MS, 3 * HOUR_MS]));
      due[kind] = Math.max(due[kind], this.asleepUntil[kind]);
    }
    const first = Math.min(...Object.values(due));
    if (first === Infinity) return;
    const lag = this.random.below(this.random.chance(0.05) && !this.isHealed ? 600_000 : 1_500);
    const at = Math.max(time.now + 500, first) + lag;
    this.isPolled = true;
    time.plan(at, () => {
      this.isPolled = false;
      for (const process of this.processes)
        for (const kind of KINDS)
          if (due[kind] <= at && this.random.chance(0.5) && process.pausedUntil <= time.now)
            time.as(process, process.wake[kind]);
    });
  }

  /** What holds between transactions. */
  private async checkStored(): Promise<void> {
    const { control } = this.database;
    const { rows: retries } = await control.query<RetryRow>(
      `SELECT id, attempts, next_attempt_at AS "nextAt", history->-1 AS last FROM deliveries
       WHERE status = 'pending' AND attempts > 0`,
    );
    this.deliveries.checkWaits(retries);
    await this.readings.checkRunning(control);
    await checkAlways(control, PENDING_JOBS);
  }

  private async dueTimes(): Promise<Record<Kind, number>> {
    const { rows } = await this.database.control.query<Record<Kind, Date | null>>(
      `SELECT (SELECT min(next_run_at) FROM schedules WHERE is_active) AS schedules,
         (SELECT min(digest_due_at) FROM alerts) AS digests,
         (SELECT min(due_at) FROM reports) AS reports,
         (SELECT min(due_at) FROM destination_queues) AS sender,
         (SELECT min(coalesce(relay_not_before, created_at)) FROM outbox_events
           WHERE relayed_at IS NULL AND set_aside_at IS NULL) AS relay,
         least((SELECT min(lease_until) FROM job_executions),
           (SELECT min(created_at) FROM jobs WHERE status = 'pending')) AS jobs,
         (SELECT min(coalesce(lease_until, created_at)) FROM erasures WHERE completed_at IS NULL) AS erasures,
         (SELECT coalesce(min(greatest(due_at, lease_until)), simulated.now()) FROM content_rechecks) AS rechecks`,
    );
    return Object.fromEntries(
      Object.entries(rows[0]!).map(([kind, at]) => [kind, at?.getTime() ?? Infinity]),
    ) as Record<Kind, number>;
  }

  private planPublishing(): void {
    const { time, history } = this.simulator;
    time.plan(time.now + this.random.below(12 * HOUR_MS), () => {
      if (this.isHealed) return;
      history.add(`platform: ${this.world.publish(time.now)}`);
      this.planPublishing();
    });
  }

  /** Breaks a receiver for a while, now and then, and one of them for hours. */
  private planBreakage(): void {
    const { time } = this.simulator;
    const receivers = [...this.world.receivers.values()];
    time.plan(time.now + this.random.below(6 * HOUR_MS), () => {
      const hooks = receivers.filter(({ kind }) => kind === 'webhook');
      this.break(this.random.pick(hooks), (7 + this.random.below(17)) * HOUR_MS);
    });
    const again = (): void => {
      time.plan(time.now + this.random.below(6 * HOUR_MS), () => {
        if (this.isHealed) return;
        if (this.random.chance(0.3)) this.world.brokenUntil = time.now + this.random.below(12 * HOUR_MS);
        const longest = this.random.pick([60_000, HOUR_MS, 12 * HOUR_MS]);
        this.break(this.random.pick(receivers), this.random.below(longest));
        again();
      });
    };
    again();
  }

  private break(receiver: WorldReceiver, durationMs: number): void {
    const { time, history } = this.simulator;
    receiver.brokenUntil = Math.max(receiver.brokenUntil, time.now + durationMs);
    receiver.breakage = this.random.next();
    history.add(`${receiver.path}: broken until ${new Date(receiver.brokenUntil).toISOString()}`);
  }

  private treat(request: Arrived): Treatment {
    const receiver = this.world.receivers.get(request.path)!;
    const treatment = this.treatment(receiver);
    this.simulator.history.add(
      `${request.actor.name}: request to ${request.path}: ${treatment.kind} ${treatment.status} after ${treatment.delayMs} ms`,
    );
    const { workspace_id: sender } = JSON.parse(request.body) as { workspace_id: string };
    if (!sender.endsWith(receiver.workspaceId))
      throw new Violation(`${request.path} got an event of another workspace`);
    this.deliveries.arrived(idOf(request), request.actor as ServiceProcess, treatment);
    return treatment;
  }

  /** The mail server takes a message for all recipients, for some of them, or for none, and says so or not. */
  private mailed(mail: ArrivedMail): Promise<MailTreatment> {
    const { time, history } = this.simulator;
    const { kind, status, delayMs } = this.treatment(this.world.receiverOf(mail.to[0]!));
    const isTaken = kind === 'truncate' || (kind === 'answer' && status < 300);
    const isLost = kind !== 'answer';
    const some = (): boolean => this.isHealed || this.random.chance(0.8);
    const taken = isTaken ? mail.to.filter(some) : [];
    history.add(
      `${mail.process.name}: mail ${mail.id} to ${mail.to.length}: ${taken.length} taken${isLost ? ', lost' : ''}`,
    );
    this.mails.arrived(mail, taken, isLost);
    this.deliveries.arrived(mail.id, mail.process, {
      kind: isLost ? 'reset' : 'answer',
      status: this.mails.isComplete(mail.id) ? 250 : 450,
      delayMs,
    });
    return new Promise((resolve) =>
      time.plan(
        time.now + (kind === 'hang' ? HANGS_MS : delayMs),
        () => {
          this.deliveries.ended(mail.id);
          resolve({ taken, isLost });
        },
        mail.process,
      ),
    );
  }

  private treatment({ brokenUntil, breakage }: WorldReceiver): Treatment {
    const { random } = this;
    const isBroken = !this.isHealed && (brokenUntil > this.simulator.time.now || random.chance(0.15));
    const delayMs = random.below(random.chance(0.25) && !this.isHealed ? 1_900 : 300);
    const healthy: Treatment = { kind: 'answer', status: 200, delayMs };
    if (!isBroken) return healthy;
    const luck = brokenUntil > this.simulator.time.now ? breakage : random.next();
    if (luck < 0.1) return { ...healthy, kind: 'reset' };
    if (luck < 0.2) return { ...healthy, kind: 'truncate' };
    if (luck < 0.3) return { ...healthy, kind: 'hang' };
    if (luck < 0.65) return { ...healthy, status: 429, retryAfterSeconds: 60 + random.below(600) };
    return { ...healthy, status: luck < 0.8 ? 500 : 503 };
  }

  private heal(): void {
    this.isHealed = true;
    for (const process of this.processes)
      process.pausedUntil = Math.min(process.pausedUntil, this.simulator.time.now);
    for (const receiver of this.world.receivers.values()) receiver.brokenUntil = 0;
    for (const kind of KINDS) this.asleepUntil[kind] = 0;
    this.simulator.history.add('everything works from now on');
  }
}

const idOf = ({ headers }: Arrived): string => String(headers['webhook-id']).replace(/^[a-z]+_/, '');
