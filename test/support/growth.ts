const RUNS = 5;
/** Processor time of the smallest size in each run, by repetition; less is mostly noise. */
const LEAST_MS = 10;

/**
 * The largest factor by which the processor time of `work` grows when its size doubles, over `size`, twice and four times
 * `size`: about 2 for linear work, 4 for quadratic work. The runs of the sizes alternate and their medians are compared.
 */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  const sizes = [size, 2 * size, 4 * size];
  const repetitions = await repetitionsOf(work, size);
  const times = sizes.map((): number[] => []);
  for (let run = 0; run < RUNS; run += 1)
    for (const [index, one] of sizes.entries()) times[index]!.push(await timeOf(work, one, repetitions));
  const [once, twice, fourTimes] = times.map(medianOf);
  return Math.max(twice! / once!, fourTimes! / twice!);
}

/** How often the work is repeated to take at least {@link LEAST_MS}; what it compiles or loads is over by then. */
async function repetitionsOf(work: (size: number) => unknown, size: number): Promise<number> {
  await work(size);
  for (let repetitions = 1; ; repetitions *= 2)
    if ((await timeOf(work, size, repetitions)) >= LEAST_MS) return repetitions;
}

/** Milliseconds of processor time, which other processes of a busy machine do not change. */
async function timeOf(work: (size: number) => unknown, size: number, repetitions: number): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < repetitions; done += 1) await work(size);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const medianOf = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
