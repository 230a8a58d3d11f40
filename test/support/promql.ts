/** A series of a scrape: a metric's name, its labels and its value. */
interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** One scrape of `/metrics`, at a time in seconds. */
export interface Scrape {
  at: number;
  samples: readonly Sample[];
}

const NAME = '__name__';
const LABEL = /(\w+)(=~|!~|!=|=)"((?:[^"\\]|\\.)*)"/g;

/** Parses the Prometheus text format. */
export function readScrape(at: number, text: string): Scrape {
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): Sample => {
      const [, name, labels = '', value] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line)!;
      const pairs = [...labels.matchAll(LABEL)].map(([, label, , text]) => [label, text] as const);
      return {
        labels: { [NAME]: name!, ...Object.fromEntries(pairs) },
        value: value === '+Inf' ? Infinity : Number(value),
      };
    });
  return { at, samples };
}

/**
 * Evaluates the subset of PromQL that the alert rules use, at the time of the last scrape: selectors, `rate`,
 * `increase`, `sum` and `max` with `by`, `histogram_quantile`, `absent`, `/` and comparisons with a number. Throws on
 * anything else. Increases are not extrapolated to the range.
 */
export function evaluate(expression: string, scrapes: readonly Scrape[]): Sample[] {
  return new Evaluation(expression, scrapes).run();
}

class Evaluation {
  private rest: string;

  constructor(
    private readonly expression: string,
    private readonly scrapes: readonly Scrape[],
  ) {
    this.rest = expression.trim();
  }

  run(): Sample[] {
    const result = this.comparison();
    if (this.rest !== '') throw this.unreadable();
    return result;
  }

  private comparison(): Sample[] {
    const left = this.quotient();
    const operator = this.take(/^(==|!=|>=|<=|>|<)/)?.[0];
    if (operator === undefined) return left;
    const limit = Number(this.require(/^\d+(\.\d+)?/)[0]);
    return left.filter(({ value }) => {
      if (operator === '==') return value === limit;
      if (operator === '!=') return value !== limit;
      if (operator === '>') return value > limit;
      if (operator === '<') return value < limit;
      return operator === '>=' ? value >= limit : value <= limit;
    });
  }

  private quotient(): Sample[] {
    let left = this.operand();
    while (this.take(/^\//)) {
      const right = this.operand();
      left = left.flatMap((sample) =>
        right
          .filter((other) => sameLabels(sample, other))
          .map((other) => ({ labels: sample.labels, value: sample.value / other.value })),
      );
    }
    return left;
  }

  private operand(): Sample[] {
    const aggregation = this.take(/^(sum|max)\s*(?:by\s*\(([\w\s,]*)\)\s*)?(?=\()/);
    if (aggregation !== null) {
      const by = (aggregation[2] ?? '').split(',').map((label) => label.trim());
      return aggregate(
        aggregation[1] as 'sum' | 'max',
        by,
        this.inParentheses(() => this.comparison()),
      );
    }
    const name = this.take(/^(rate|increase|absent|histogram_quantile)(?=\()/)?.[0];
    if (name === 'absent')
      return this.inParentheses(() =>
        this.latest(this.selector()).length === 0 ? [{ labels: {}, value: 1 }] : [],
      );
    if (name === 'histogram_quantile')
      return this.inParentheses(() => {
        const quantile = Number(this.require(/^\d+(\.\d+)?/)[0]);
        this.require(/^,/);
        return quantileOf(quantile, this.comparison());
      });
    if (name !== undefined)
      return this.inParentheses(() => {
        const matches = this.selector();
        const [, count, unit] = this.require(/^\[(\d+)([smh])\]/);
        const range = Number(count) * { s: 1, m: 60, h: 3_600 }[unit as 's' | 'm' | 'h'];
        return this.increases(matches, range).map(({ labels, value }) => ({
          labels,
          value: name === 'rate' ? value / range : value,
        }));
      });
    return this.latest(this.selector());
  }

  private selector(): (sample: Sample) => boolean {
    const [, name, braces = ''] = this.require(/^([a-z_:]\w*)(\{[^}]*\})?/i);
    const matchers = [...braces.matchAll(LABEL)];
    return ({ labels }) =>
      labels[NAME] === name &&
      matchers.every(([, label, operator, text]) => {
        const value = labels[label!] ?? '';
        const isMatch = operator!.endsWith('~') ? new RegExp(`^(?:${text})$`).test(value) : value === text;
        return operator!.startsWith('!') ? !isMatch : isMatch;
      });
  }

  private latest(matches: (sample: Sample) => boolean): Sample[] {
    return this.scrapes.at(-1)!.samples.filter(matches);
  }

  /**
   * How much each series increased within the range, from its first scrape there; a counter that was reset counts from
   * 0.
   */
  private increases(matches: (sample: Sample) => boolean, range: number): Sample[] {
    const end = this.scrapes.at(-1)!.at;
    const within = this.scrapes.filter(({ at }) => at >= end - range);
    const grown = new Map<string, { labels: Sample['labels']; value: number; last: number; seen: number }>();
    for (const { samples } of within)
      for (const { labels, value } of samples.filter(matches)) {
        const key = JSON.stringify(labels);
        const before = grown.get(key);
        const growth = before === undefined ? 0 : value >= before.last ? value - before.last : value;
        grown.set(key, {
          labels,
          value: (before?.value ?? 0) + growth,
          last: value,
          seen: (before?.seen ?? 0) + 1,
        });
      }
    return [...grown.values()]
      .filter(({ seen }) => seen > 1)
      .map(({ labels, value }) => ({ labels: unnamed(labels), value }));
  }

  private inParentheses<T>(read: () => T): T {
    this.require(/^\(/);
    const result = read();
    this.require(/^\)/);
    return result;
  }

  private require(pattern: RegExp): RegExpExecArray {
    const match = this.take(pattern);
    if (match === null) throw this.unreadable();
    return match;
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.rest);
    if (match !== null) this.rest = this.rest.slice(match[0].length).trimStart();
    return match;
  }

  private unreadable(): Error {
    return new Error(`not readable at "${this.rest}": ${this.expression}`);
  }
}

function unnamed({ [NAME]: _, ...labels }: Sample['labels']): Sample['labels'] {
  return labels;
}

function sameLabels(one: Sample, other: Sample): boolean {
  const textOf = ({ labels }: Sample): string => JSON.stringify(Object.entries(unnamed(labels)).sort());
  return textOf(one) === textOf(other);
}

function aggregate(operator: 'sum' | 'max', by: readonly string[], samples: readonly Sample[]): Sample[] {
  const groups = new Map<string, Sample>();
  for (const { labels, value } of samples) {
    const kept = Object.fromEntries(Object.entries(labels).filter(([label]) => by.includes(label)));
    const key = JSON.stringify(Object.entries(kept).sort());
    const before = groups.get(key)?.value;
    groups.set(key, {
      labels: kept,
      value: before === undefined ? value : operator === 'sum' ? before + value : Math.max(before, value),
    });
  }
  return [...groups.values()];
}

/** Interpolates within the bucket that contains the quantile, as Prometheus does. */
function quantileOf(quantile: number, buckets: readonly Sample[]): Sample[] {
  const groups = new Map<string, { labels: Sample['labels']; buckets: { le: number; count: number }[] }>();
  for (const { labels, value } of buckets) {
    const { le, ...rest } = unnamed(labels);
    const key = JSON.stringify(Object.entries(rest).sort());
    const group = groups.get(key) ?? { labels: rest, buckets: [] };
    group.buckets.push({ le: le === '+Inf' ? Infinity : Number(le), count: value });
    groups.set(key, group);
  }
  return [...groups.values()].map(({ labels, buckets: own }) => {
    own.sort((one, other) => one.le - other.le);
    const rank = quantile * own.at(-1)!.count;
    const index = own.findIndex(({ count }) => count >= rank && count > 0);
    if (index === -1) return { labels, value: NaN };
    const from = { le: own[index - 1]?.le ?? 0, count: own[index - 1]?.count ?? 0 };
    const to = own[index]!;
    if (to.le === Infinity) return { labels, value: from.le };
    return { labels, value: from.le + ((to.le - from.le) * (rank - from.count)) / (to.count - from.count) };
  });
}
