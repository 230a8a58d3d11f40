import { cleanText, escapeHtml, shownLinkOf } from '../../messages/channels/message-text.js';
import type { ReportContentDto, ReportLineDto, ReportPostDto } from './report-content.dto.js';
import { linking } from './report-text.js';
import { countOf, datesOf, lineWords, postWords } from './report-words.js';

const SMALL = 'font-size:13px;opacity:.75';
const ROW = 'padding:10px 0;border-top:1px solid #8884';

/** Where the picture of the trend is, and to where links lead. */
interface HtmlPlaces {
  picture: string;
  dashboard: string | undefined;
}

const clean = (text: string): string => escapeHtml(cleanText(text));

/**
 * A report as one HTML page in one column that fits a phone, with inline styles and no scripts, as programs for mail show
 * it. Shares are bars of table cells, which are seen without pictures, too.
 */
export function reportHtml(report: ReportContentDto, places: HtmlPlaces): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${clean(report.name)}</title></head>`,
    '<body style="margin:0 auto;padding:16px;max-width:600px;font:15px/1.45 system-ui,sans-serif;overflow-wrap:anywhere">',
    ...(report.unchanged ? [`<p>${clean(report.summary)}</p>`] : sectionsOf(report, places)),
    '</body></html>',
  ].join('\n');
}

function sectionsOf(report: ReportContentDto, { picture, dashboard }: HtmlPlaces): string[] {
  const { lines, trend, to_answer, new_stories, not_read } = report;
  const section = (title: string, rows: readonly string[]): string[] =>
    rows.length === 0
      ? []
      : [
          `<h2 style="margin:24px 0 8px;font-size:16px">${title}</h2>`,
          ...rows.map((row) => `<div style="${ROW}">${row}</div>`),
        ];
  const highest = Math.max(0, ...trend.map(({ volume }) => volume));
  const by = report.every === 'day' ? 'hour' : 'day';
  return [
    `<h1 style="margin:0;font-size:20px">${clean(report.name)}</h1>`,
    `<p style="margin:4px 0;${SMALL}">${clean(datesOf(report))}</p>`,
    `<p style="margin:12px 0">${clean(report.summary)}</p>`,
    `<img src="${escapeHtml(picture)}" width="568" height="120" style="display:block;width:100%;height:auto" alt="Mentions by ${by}: ${trend.map(({ volume }) => volume).join(', ')}">`,
    `<p style="margin:4px 0;${SMALL}">Mentions by ${by}, the period before in a lighter colour; at most ${countOf(highest, 'mention')}.</p>`,
    ...section('Figures', lines.map(lineHtml)),
    ...section(
      'To answer',
      to_answer.map((post) => postHtml(post, dashboard)),
    ),
    ...section(
      'New stories',
      new_stories.map(
        ({ title, size }) => `${clean(title)} <span style="${SMALL}">${countOf(size, 'post')}</span>`,
      ),
    ),
    ...section(
      'Not read',
      not_read.map(({ source, reason }) => `<b>${clean(source)}</b>: ${clean(reason)}`),
    ),
  ];
}

function lineHtml(line: ReportLineDto): string {
  const share = line.share_of_voice === null ? 0 : Math.round(100 * line.share_of_voice.share);
  const cell = (width: number, color: string): string =>
    width === 0 ? '' : `<td width="${width}%" style="height:6px;padding:0;background:${color}"></td>`;
  return [
    `<b>${clean(line.name)}</b>`,
    `<div>${lineWords(line)}</div>`,
    '<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="margin-top:6px"><tr>',
    `${cell(share, '#1f6feb')}${cell(100 - share, '#8884')}</tr></table>`,
  ].join('');
}

function postHtml(post: ReportPostDto, dashboard: string | undefined): string {
  const url = shownLinkOf({ id: post.post_id, permalink: post.permalink }, linking(dashboard));
  return [
    `<a href="${escapeHtml(url)}" style="font-weight:600">${clean(post.title) || 'Untitled'}</a>`,
    `<div style="${SMALL}">${clean(postWords(post))}</div>`,
    `<div style="font-size:13px">${clean(post.reasons.join(' · '))}</div>`,
  ].join('');
}
