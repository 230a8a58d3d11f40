import { MATCH_STATES } from '../../src/alerts/matching/match-state.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import { MatchesService } from '../../src/alerts/triage/matches.service.js';
import { ErasuresService } from '../../src/privacy/erasures/erasures.service.js';
import { Problem } from '../../src/http/problems/problem.js';
import type { Container } from './container.js';
import type { History } from './history.js';
import type { ServiceProcess } from './processes.js';
import type { Random } from './random.js';
import type { VirtualTime } from './virtual-time.js';
import { HOUR_MS, type World } from './world.js';

const AGAIN_MS = 60_000;

/** A request of a user; `answered` follows once. */
interface Request {
  words: string;
  send: (container: Container) => Promise<unknown>;
  answered: () => void;
}

/** What users ask of the service, one request after another, each repeated until a process has answered it. */
export class Requests {
  constructor(
    private readonly given: {
      world: World;
      random: Random;
      time: VirtualTime;
      history: () => History;
      /** Those that live. */
      processes: () => readonly ServiceProcess[];
      isHealed: () => boolean;
    },
  ) {}

  /** Plans the next request. */
  plan(): void {
    const { time, random, isHealed } = this.given;
    time.plan(time.now + random.below(8 * HOUR_MS), () => {
      if (!isHealed()) this.send(this.next());
    });
  }

  private next(): Request {
    const { random } = this.given;
    return random.pick([() => this.erasure(), () => this.alertChange(), () => this.triage()])();
  }

  private alertChange(): Request {
    const { world, random, time } = this.given;
    const { workspaceId, id, settings } = random.pick(world.alerts);
    const setting = { ...world.setting(), from: time.now, to: Infinity };
    const isActive = setting.keywords.length > 0;
    settings.push(setting);
    const change = { is_active: isActive, ...(isActive && { keywords: [...setting.keywords] }) };
    return {
      words: `change alert ${id} to ${JSON.stringify(change)}`,
      send: (container) => container.get(AlertsService).update(workspaceId, id, change),
      answered: () => void (setting.to = time.now),
    };
  }

  /** Sets the state of one of the newest matches, which the first answer names. */
  private triage(): Request {
    const { world, random } = this.given;
    const workspaceId = random.pick(world.workspaces);
    const state = random.pick(MATCH_STATES);
    const place = random.below(20);
    let chosen: string | undefined;
    return {
      words: `triage a match as ${state}`,
      send: async (container) => {
        const matches = container.get(MatchesService);
        chosen ??= (await matches.list(workspaceId, { limit: 20 })).matches[place]?.id.replace(
          /^[a-z]+_/,
          '',
        );
        if (chosen !== undefined) await matches.update(workspaceId, chosen, { state });
      },
      answered: () => void (chosen !== undefined && world.states.set(chosen, state)),
    };
  }

  private erasure(): Request {
    const { world } = this.given;
    const erasure = world.erasure();
    const { workspaceId, author, postId } = erasure;
    return {
      words: `erase ${author ?? postId}`,
      send: (container) => {
        const erasures = container.get(ErasuresService);
        return erasures.create(workspaceId, author === null ? { post_id: postId! } : { author });
      },
      answered: () => void world.erasures.push(erasure),
    };
  }

  private send(request: Request): void {
    const { time, random, history, processes } = this.given;
    const again = (): void => void time.plan(time.now + AGAIN_MS, () => this.send(request));
    const living = processes();
    if (living.length === 0) return again();
    const process = random.pick(living);
    history().add(`${process.name}: asked to ${request.words}`);
    let isOver = false;
    const answered = (): void => {
      isOver = true;
      request.answered();
      this.plan();
    };
    const failed = (error: unknown): void => {
      if (error instanceof Problem) return answered();
      isOver = true;
      again();
    };
    time.as(process, () => void request.send(process.container).then(answered, failed));
    // A process that was killed never answers.
    const watch = (): void => {
      time.plan(time.now + AGAIN_MS, () => {
        if (isOver) return;
        if (process.isDead) this.send(request);
        else watch();
      });
    };
    watch();
  }
}
