import { cleanText, shownLinkOf } from '../../messages/channels/message-text.js';
import { escapeMarkdown } from '../../messages/channels/discord.js';
import type { ReportContentDto } from './report-content.dto.js';
import { countOf, datesOf, lineWords, postWords } from './report-words.js';

/** A form of text: how strangers' words, headings and links are written. */
interface TextForm {
  escape: (text: string) => string;
  heading: (text: string, level: 1 | 2) => string;
  /** `text` is escaped already. */
  link: (text: string, url: string) => string;
}

const MARKDOWN: TextForm = {
  escape: (text) => escapeMarkdown(cleanText(text)).replace(/[&!]/g, '\\$&'),
  heading: (text, level) => `${'#'.repeat(level)} ${text}`,
  link: (text, url) => `[${text}](<${url}>)`,
};

const PLAIN: TextForm = {
  escape: cleanText,
  heading: (text) => text,
  link: (text, url) => `${text}\n  ${url}`,
};

/** `dashboard` is the address to which links lead; without one, to where posts were published. */
export const reportMarkdown = (report: ReportContentDto, dashboard: string | undefined): string =>
  textOf(report, dashboard, MARKDOWN);

/** As {@link reportMarkdown}, for the part of an e-mail without HTML. */
export const reportPlainText = (report: ReportContentDto, dashboard: string | undefined): string =>
  textOf(report, dashboard, PLAIN);

function textOf(report: ReportContentDto, dashboard: string | undefined, form: TextForm): string {
  const { escape, heading, link } = form;
  const summary = escape(report.summary);
  if (report.unchanged) return `${summary}\n`;
  const section = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [heading(title, 2), items.map((item) => `- ${item}`).join('\n')];
  return `${[
    heading(escape(report.name), 1),
    datesOf(report),
    summary,
    ...section(
      'Figures',
      report.lines.map((line) => `${escape(line.name)}: ${lineWords(line)}`),
    ),
    ...section(
      'To answer',
      report.to_answer.map((post) => {
        const title = escape(post.title) || 'Untitled';
        const url = shownLinkOf({ id: post.post_id, permalink: post.permalink }, linking(dashboard));
        return link(`${title} (${escape(postWords(post))}: ${post.reasons.join(', ')})`, url);
      }),
    ),
    ...section(
      'New stories',
      report.new_stories.map(({ title, size }) => `${escape(title)} (${countOf(size, 'post')})`),
    ),
    ...section(
      'Not read',
      report.not_read.map(({ source, reason }) => `${escape(source)}: ${escape(reason)}`),
    ),
  ].join('\n\n')}\n`;
}

/** Where links lead, as notifications say it. */
export const linking = (dashboard: string | undefined): { dashboard?: string } =>
  dashboard === undefined ? {} : { dashboard };
