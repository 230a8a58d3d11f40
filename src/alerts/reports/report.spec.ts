import { inflateSync } from 'node:zlib';
import { reportHtml } from './report-html.js';
import { type LineFigures, reportOf, type ReportFigures } from './report-of.js';
import { reportMarkdown, reportPlainText } from './report-text.js';
import { trendPicture } from './trend-picture.js';

const HOSTILE = '<script>alert(1)</script> [x](javascript:alert(1)) "onerror=\u202e&amp; @all\n# y';

const line = (name: string, volume: number, before: number): LineFigures => ({
  alertId: `alert_${name}`,
  searchId: null,
  name,
  of: 'posts',
  filters: { q: name },
  current: { volume, sentiment: volume === 0 ? null : 0.5 },
  previous: { volume: before, sentiment: before === 0 ? null : 0.25 },
});

const figures = (changes: Partial<ReportFigures> = {}): ReportFigures => ({
  name: 'Weekly',
  every: 'week',
  timezone: 'Europe/Berlin',
  period: { from: new Date('2026-10-18T22:00Z'), to: new Date('2026-10-25T23:00Z') },
  previous: { from: new Date('2026-10-11T22:00Z'), to: new Date('2026-10-18T22:00Z') },
  lines: [line('rust', 60, 50), line('go', 40, 0)],
  trend: [
    { start: new Date('2026-10-17T22:00Z'), volume: 50 },
    { start: new Date('2026-10-18T22:00Z'), volume: 100 },
  ],
  new_stories: [],
  to_answer: [],
  not_read: [],
  ...changes,
});

describe('a report', () => {
  it('has changes, shares of voice with intervals, and a summary', () => {
    const report = reportOf(figures());
    expect(report.lines[0]).toMatchObject({
      volume: { current: 60, previous: 50, change: 10 },
      mean_sentiment: { current: 0.5, previous: 0.25, change: 0.25 },
      share_of_voice: { share: 0.6 },
    });
    const { low, high } = report.lines[0]!.share_of_voice!;
    expect([low.toFixed(3), high.toFixed(3)]).toEqual(['0.518', '0.677']);
    expect(report.lines[1]!.mean_sentiment).toEqual({ current: 0.5, previous: null, change: null });
    expect(report.summary).toBe('100 mentions, 50 before, +100 %.');
    expect(reportMarkdown(report, undefined)).toContain('19 – 25 October 2026');
  });

  it('says in one line that nothing changed, and names what was not read', () => {
    const same = { ...line('rust', 3, 3), previous: { volume: 3, sentiment: 0.5 } };
    const report = reportOf(
      figures({ lines: [same], not_read: [{ source: 'technology', reason: 'Gone.' }] }),
    );
    const text = 'Nothing changed: 3 mentions, as in the period before. Not read: technology.';
    expect(report).toMatchObject({ unchanged: true, summary: text });
    expect(reportPlainText(report, undefined)).toBe(`${text}\n`);
    expect(reportHtml(report, { picture: 'cid:x', dashboard: undefined })).not.toContain('<img');
    const none = reportOf(figures({ lines: [line('rust', 0, 0)] }));
    expect(none).toMatchObject({
      summary: 'Nothing changed: no mentions, as in the period before.',
      lines: [{ share_of_voice: null }],
    });
  });

  it("escapes strangers' texts in HTML and Markdown", () => {
    const post = {
      ...{ post_id: 't3_1', alert_id: 'alert_1', title: HOSTILE, forum: HOSTILE, author: HOSTILE },
      ...{ permalink: '/r/a/"><b>', created_utc: new Date(0), score: 1, num_comments: 0, relevance: null },
      reasons: ['no reply'],
    };
    const story = { id: 'story_1', post_id: 't3_1', title: HOSTILE, size: 2, first_at: new Date(0) };
    const report = reportOf(
      figures({
        name: HOSTILE,
        lines: [{ ...line('a', 1, 0), name: HOSTILE }],
        to_answer: [post],
        new_stories: [story],
        not_read: [{ source: HOSTILE, reason: HOSTILE }],
      }),
    );
    const html = reportHtml(report, { picture: 'cid:"x', dashboard: undefined });
    expect(html).not.toMatch(/<script|<b>"|"onerror|\u202e|cid:"/);
    const markdown = reportMarkdown(report, undefined);
    expect(markdown).not.toMatch(/(?<!\\)\[x|(?<!\\)<script|\u202e|^# y|(?<!\\)&amp/m);
    expect(markdown).toContain('](<https://www.reddit.com/r/a/%22%3E%3Cb%3E>)');
  });
});

describe('the picture of a trend', () => {
  it('is a PNG with a bar for each bucket in proportion to its volume', () => {
    const image = trendPicture(figures());
    expect(image.subarray(1, 4).toString()).toBe('PNG');
    const [width, height] = [image.readUInt32BE(16), image.readUInt32BE(20)];
    const data = image.indexOf('IDAT');
    const pixels = inflateSync(image.subarray(data + 4, data + 4 + image.readUInt32BE(data - 4)));
    const column = (x: number): number[] =>
      Array.from({ length: height }, (_, y) => pixels[y * (width + 1) + 1 + x]!);
    const count = (x: number, color: number): number => column(x).filter((one) => one === color).length;
    expect([count(10, 2), count(10, 3)]).toEqual([119, 0]);
    expect([count(width / 2 + 10, 2), count(width / 2 + 10, 3)]).toEqual([0, 238]);
  });
});
