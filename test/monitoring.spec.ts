import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compiled tests run from `dist`. */
const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Names of metrics in a text, without the suffixes of histograms. */
const metricsIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/\bwss_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')));

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}

describe('dashboard and alert rules', () => {
  const documented = metricsIn(/### Metrics\n([\s\S]*?)\n#/.exec(read('docs/monitoring.md'))![1]!);
  const { panels } = JSON.parse(read('docker/grafana/dashboards/service.json')) as { panels: Panel[] };
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');

  it('use only documented metrics', () => {
    for (const text of [expressions, read('docker/prometheus/alerts.yml')])
      expect([...metricsIn(text)].filter((name) => !documented.has(name))).toEqual([]);
  });

  it('document every metric of the service', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => read(join('src', file)));
    const registered = sources.flatMap((text) => [...text.matchAll(/name: '(wss_[a-z_]+)'/g)]);
    expect(registered.length).toBeGreaterThan(20);
    expect(registered.map(([, name]) => name!).filter((name) => !documented.has(name))).toEqual([]);
  });

  it('show every metric on the dashboard', () => {
    const shown = metricsIn(expressions);
    expect([...documented].filter((name) => !shown.has(name))).toEqual([]);
  });

  it('do not add up gauges that are the same in every process', () => {
    const shared = [
      'jobs_waiting',
      'outbox_pending',
      'deliveries_pending',
      'destinations_circuit_open',
      'schedule_lag',
    ];
    for (const name of shared) expect(expressions).not.toMatch(new RegExp(`sum[^(]*\\(wss_${name}`));
  });
});
