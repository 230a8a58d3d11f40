import { readFileSync } from 'node:fs';
import { EventLoopTurn } from '../../src/common/event-loop-turn.js';
import { clusterRows } from '../../src/content/stories/cluster-rows.js';

/**
 * Compares stories with labelled events, in a file of lines `{ "text", "label" }`, as B-cubed precision, recall and F1:
 * `evaluate-stories.js FILE`. Texts with the label `off-topic` belong to no event, and those of no story are alone. Then
 * the same with each event left out.
 */
interface Row {
  text: string;
  label: string;
}
const OTHER = 'off-topic';

class SlowestTurn extends EventLoopTurn {
  slowest = 0;
  private began = performance.now();
  override async next(): Promise<void> {
    this.slowest = Math.max(this.slowest, performance.now() - this.began);
    await super.next();
    this.began = performance.now();
  }
}

async function measure(name: string, rows: readonly Row[]): Promise<void> {
  const turn = new SlowestTurn();
  const began = process.cpuUsage();
  const clusters = await clusterRows(
    rows.map(({ text }) => ({ title: '', text, links: [] })),
    turn,
  );
  const seconds = process.cpuUsage(began).user / 1e6;
  const storyOf = rows.map((_, row) => -1 - row);
  clusters.forEach(({ rows: of }, story) => of.forEach((row) => (storyOf[row] = story)));
  const count = (keys: readonly (string | number)[]): Map<string | number, number> => {
    const counts = new Map<string | number, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const print = (what: string, of: readonly number[]): void => {
    const event = (row: number): string => (rows[row]!.label === OTHER ? `alone ${row}` : rows[row]!.label);
    const both = count(of.map((row) => `${storyOf[row]} ${event(row)}`));
    const [stories, events] = [count(of.map((row) => storyOf[row]!)), count(of.map(event))];
    const mean = (value: (row: number) => number): number =>
      of.reduce((sum, row) => sum + value(row), 0) / of.length;
    const own = (row: number): number => both.get(`${storyOf[row]} ${event(row)}`)!;
    const precision = mean((row) => own(row) / stories.get(storyOf[row]!)!);
    const recall = mean((row) => own(row) / events.get(event(row))!);
    const f1 = (2 * precision * recall) / (precision + recall);
    console.log(
      `${name}, ${what}: F1 ${f1.toFixed(3)}, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
    );
  };
  const all = [...rows.keys()];
  print(
    'rows of events',
    all.filter((row) => rows[row]!.label !== OTHER),
  );
  print('all rows', all);
  const largest = clusters
    .sort((a, b) => b.rows.length - a.rows.length)
    .slice(0, 8)
    .map(({ rows: of, keywords }) => `${of.length} ${keywords.slice(0, 4).join(' ')}`);
  console.log(
    `  ${clusters.length} stories in ${seconds.toFixed(2)} s, longest turn ${turn.slowest.toFixed(0)} ms: ${largest.join('; ')}`,
  );
}

const rows = readFileSync(process.argv[2]!, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);
await measure('all', rows);
for (const event of new Set(rows.map(({ label }) => label)))
  if (event !== OTHER)
    await measure(
      `without ${event}`,
      rows.filter(({ label }) => label !== event),
    );
