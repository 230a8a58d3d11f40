import { FIGURES, type Figure } from './support/figures.js';
import { commandsOf, figuresOf, readTable, valueAt, valueIn } from './support/figures-table.js';

/** Arguments of `npm run bench -- gate`. */
export const USAGE =
  'gate [NAME ...]: the benchmarks to compare with docs/benchmarks.md; without names, all that have a ratio';

/** How much worse than the table a ratio may be. */
const TOLERANCE = 1.2;
/** Benchmarks that read labelled texts, which not every machine has. */
const WITH_TEXTS = ['alerts', 'analyzer'];

/** A ratio beside that of the table. */
export interface Comparison {
  figure: string;
  /** Null when the table has no number for it. */
  table: number | null;
  /** Null when the benchmark failed. */
  now: number | null;
  isWorse: boolean;
}

/**
 * Runs the benchmarks whose figures are ratios within one run, which other machines share, and compares them with the
 * table of `docs/benchmarks.md`. `violations` names those that are worse by more than a fifth, or whose benchmark
 * failed; the program then exits with 1.
 */
export async function run(
  names: string[] = [],
): Promise<{ comparisons: Comparison[]; violations: string[] }> {
  const table = readTable();
  const ratios = FIGURES.filter(({ better, command }) => better !== undefined && canRun(command));
  const comparisons: Comparison[] = [];
  for (const command of commandsOf(ratios, names)) {
    const measured = await figuresOf(command);
    for (const figure of ratios.filter((ratio) => ratio.command === command))
      comparisons.push(compare(figure, valueIn(table.get(figure.title)), valueAt(measured, figure.path)));
  }
  return { comparisons, violations: comparisons.filter(({ isWorse }) => isWorse).map(sentenceOf) };
}

/** A measured ratio beside that of the table. A ratio that the table lacks is worse only when it was not measured. */
export function compare({ title, better }: Figure, table: number | null, now: number | null): Comparison {
  const isWorse =
    now === null ||
    (table !== null && (better === 'higher' ? now * TOLERANCE < table : now > table * TOLERANCE));
  return { figure: title, table, now, isWorse };
}

const sentenceOf = ({ figure, table, now }: Comparison): string =>
  now === null ? `${figure}: the benchmark failed` : `${figure}: ${now}, where the table has ${table}`;

const canRun = (command: string): boolean =>
  process.env.TEXT_ANALYSIS_DIR !== undefined || !WITH_TEXTS.includes(command);
