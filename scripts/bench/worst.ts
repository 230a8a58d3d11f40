import { setImmediate as turn } from 'node:timers/promises';
import { rounded } from './support/measure.js';
import { WORST_FUNCTIONS, type WorstFunction } from './support/worst-functions.js';
import { WORST_TEXTS, type WorstText } from './support/worst-texts.js';

/** The event loop may be held for so many milliseconds of processor time, which other processes do not lengthen. */
const LONGEST_MS = 50;
/** Growth over four times the length: 4 for linear work, 4.9 for n log n; more is noise of short times, or steep. */
const MOST_GROWTH = 6.5;
/** Shorter times are not compared: they hold nothing, and memory that is used for the first time lengthens them. */
const LEAST_MS = 20;
/** Texts that are measured again, the slowest ones of a first look. */
const LOOKED_AT = 2;
const RUNS = 4;

/** The slowest text of a function. Times are milliseconds of processor time, of which the least of several runs counts. */
interface Worst {
  function: string;
  text: string;
  /** At a quarter of the longest length, at its half and at the whole of it. */
  milliseconds: [number, number, number];
  /** For how long the event loop was held at once: less than the time of work in time slices. */
  heldMs: number;
}

interface Times {
  total: number;
  held: number;
}

/**
 * Every function over texts of strangers and queries with the slowest of many texts. `violations` names those that hold
 * the event loop for more than 50 ms at once or grow faster than n log n.
 */
export async function run(names: string[] = []): Promise<{ worst: Worst[]; violations: string[] }> {
  const worst: Worst[] = [];
  const violations: string[] = [];
  for (const one of WORST_FUNCTIONS) {
    if (names.length > 0 && !names.includes(one.name)) continue;
    const measured: Worst[] = [];
    for (const text of await suspects(one)) measured.push(await measure(one, text));
    for (const { text, milliseconds, heldMs } of measured) {
      const [quarter, half, whole] = milliseconds;
      const growth = Math.max(whole / quarter, (2 * whole) / half);
      if (heldMs > LONGEST_MS) violations.push(`${one.name}: ${heldMs} ms at once for ${text}`);
      if (whole >= LEAST_MS && growth > MOST_GROWTH)
        violations.push(`${one.name}: grows ${rounded(growth, 1)} times for ${text}`);
    }
    worst.push(measured.sort((a, b) => b.milliseconds[2] - a.milliseconds[2])[0]!);
  }
  return { worst, violations };
}

/** The slowest texts of a function in a first look, and those whose time seems to grow most. */
async function suspects(one: WorstFunction): Promise<WorstText[]> {
  const looks: { text: WorstText; whole: number; growth: number }[] = [];
  for (const text of WORST_TEXTS) {
    const whole = (await timesOf(one, text, one.longest, 1)).total;
    const growth = whole < LEAST_MS ? 0 : whole / (await timesOf(one, text, one.longest / 4, 1)).total;
    looks.push({ text, whole, growth });
  }
  const steepest = looks.filter(({ growth }) => growth > MOST_GROWTH).sort((a, b) => b.growth - a.growth);
  const slowest = looks.toSorted((a, b) => b.whole - a.whole);
  return [...new Set([...slowest.slice(0, LOOKED_AT), ...steepest.slice(0, LOOKED_AT)])].map(
    ({ text }) => text,
  );
}

async function measure(one: WorstFunction, text: WorstText): Promise<Worst> {
  const quarter = await timesOf(one, text, one.longest / 4, RUNS);
  const half = await timesOf(one, text, one.longest / 2, RUNS);
  const whole = await timesOf(one, text, one.longest, RUNS);
  return {
    function: one.name,
    text: text.name,
    milliseconds: [rounded(quarter.total, 2), rounded(half.total, 2), rounded(whole.total, 1)],
    heldMs: rounded(whole.held, 1),
  };
}

/** The least times of several runs over a text of a length. */
async function timesOf(
  { prepare }: WorstFunction,
  { ofLength }: WorstText,
  length: number,
  runs: number,
): Promise<Times> {
  const work = await prepare(ofLength(length));
  const least = { total: Infinity, held: Infinity };
  for (let run = 0; run < runs; run += 1) {
    const { total, held } = await timed(work);
    least.total = Math.min(least.total, total);
    least.held = Math.min(least.held, held);
  }
  return least;
}

/** Work, with the time from each turn of the event loop to the next. */
async function timed(work: () => unknown): Promise<Times> {
  let [total, held] = [0, 0];
  let began = process.cpuUsage();
  const count = (): void => {
    const { user, system } = process.cpuUsage(began);
    began = process.cpuUsage();
    total += (user + system) / 1_000;
    held = Math.max(held, (user + system) / 1_000);
  };
  const result = work();
  count();
  if (!(result instanceof Promise)) return { total, held };
  let isDone = false;
  const done = result.finally(() => (isDone = true));
  while (!isDone) {
    await turn();
    count();
  }
  await done;
  return { total, held };
}
