import { Bench } from '../../../scripts/bench/support/harness.js';
import { rounded } from '../../../scripts/bench/support/measure.js';
import { ATTACK_NAMES, type AttackName, type AttackReport } from '../support/soak-attacks.js';
import type { RefusalCosts } from '../support/soak-costs.js';
import { type Phase, Soak } from '../support/soak-service.js';

const DEFAULT_SECONDS = 60;

/** Measurements of the neighbours during some attacks. */
interface AttackedPhase extends Phase {
  /** `posts_p95` relative to the quiet phase; target: at most 3. */
  posts_p95_ratio: number | null;
  /** The responses that the attackers got. */
  answers: AttackReport;
}

/** The result of the soak test. */
export interface SoakFigures {
  seconds: number;
  /** Seconds to start the service and fill its database, not included in `seconds`. */
  setup_seconds: number;
  /** Null when the attack `bodies` is not measured. */
  refusals: RefusalCosts | null;
  quiet: Phase;
  /** By attack names. */
  attacked: Record<string, AttackedPhase>;
}

/**
 * First measures refused requests by themselves. Then ten neighbours read, scrape and receive webhooks: a third of the
 * time undisturbed, then alongside three hostile workspaces and a client without a key. `npm run bench -- soak 60` runs
 * all attacks together for 60 seconds; `soak 60 searches` or `soak 60 jobs,webhooks` runs only these; `soak 120 each`
 * runs them one after another and then all together, so that an attack also encounters what earlier ones left behind.
 */
export async function run([
  seconds = String(DEFAULT_SECONDS),
  which = 'all',
]: string[] = []): Promise<SoakFigures> {
  const duration = Number(seconds) * 1_000;
  const stages = stagesOf(which);
  return Bench.run(async (bench) => {
    const startedAt = performance.now();
    const soak = await Soak.start(bench);
    const setupSeconds = Math.round((performance.now() - startedAt) / 1_000);
    const refusals = stages.flat().includes('bodies') ? await soak.measureRefusals() : null;
    const quiet = await soak.measure(duration / 3);
    const attacked: SoakFigures['attacked'] = {};
    for (const names of stages) {
      const stageMs = Math.round((duration * 2) / 3 / stages.length);
      const [answers, phase] = await Promise.all([soak.attack(names, stageMs), soak.measure(stageMs)]);
      const { posts_p95: p95 } = phase;
      const quietP95 = quiet.posts_p95;
      attacked[names.join(',')] = {
        ...phase,
        posts_p95_ratio: quietP95 === null || p95 === null ? null : rounded(p95 / quietP95),
        answers,
      };
    }
    return { seconds: Number(seconds), setup_seconds: setupSeconds, refusals, quiet, attacked };
  });
}

/** The attacks of each stage. Throws for an unknown name. */
function stagesOf(which: string): AttackName[][] {
  if (which === 'all') return [[...ATTACK_NAMES]];
  if (which === 'each') return [...ATTACK_NAMES.map((name) => [name]), [...ATTACK_NAMES]];
  return [
    which.split(',').map((name) => {
      const known = ATTACK_NAMES.find((one) => one === name);
      if (known === undefined)
        throw new Error(`No attack ${name}. Use all, each or ${ATTACK_NAMES.join(', ')}.`);
      return known;
    }),
  ];
}
