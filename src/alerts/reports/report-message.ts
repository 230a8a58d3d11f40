import type { AlertNotification } from '../../messages/channels/channel.js';
import type { ReportContentDto } from './report-content.dto.js';
import { reportHtml } from './report-html.js';
import { reportPlainText } from './report-text.js';
import { datesOf, lineWords } from './report-words.js';
import { trendPicture } from './trend-picture.js';

const PICTURE = 'trend';

/** What of a notification is made of a report. `dashboard` is the address to which links lead. */
type ReportMessage = Omit<AlertNotification, 'workspaceId' | 'id' | 'deliveryId' | 'eventBody' | 'alertId'>;

/** A report as channels send it: an e-mail with the picture of the trend, and the same in few words for chats. */
export function reportMessage(report: ReportContentDto, dashboard: string | undefined): ReportMessage {
  const { name, summary, unchanged, lines, to_answer: posts } = report;
  const picture = { cid: PICTURE, filename: 'trend.png', contentType: 'image/png' };
  return {
    alertName: name,
    keywords: [],
    ...(dashboard !== undefined && { dashboard }),
    sentence: `${datesOf(report)}. ${summary}`,
    lines: unchanged ? [] : lines.map((line) => `${line.name}: ${lineWords(line)}`),
    posts: posts.map(({ post_id: id, reasons, title, forum, author, permalink }) => ({
      ...{ id, title, forum, author, permalink },
      selftext: reasons.join(' · '),
    })),
    totalPosts: posts.length,
    totalComments: 0,
    email: {
      subject: `Report: ${name}, ${datesOf(report)}`,
      text: reportPlainText(report, dashboard),
      html: reportHtml(report, { picture: `cid:${PICTURE}`, dashboard }),
      ...(!unchanged && { attachments: [{ ...picture, content: trendPicture(report) }] }),
    },
  };
}
