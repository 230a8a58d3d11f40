import { contextOf, type Markup, titleOf } from './marked-text.js';
import {
  bylineOf,
  countMatches,
  escapeHtml,
  fitText,
  shownLinkOf,
  matchesLink,
  MAX_POSTS_SHOWN,
  restLine,
  summaryOf,
} from './message-text.js';
import type { AlertNotification, EmailContent, NotifiedPost } from './channel.js';

/** Maximum length of an alert's name in a subject, in UTF-16 units. */
const SUBJECT_NAME_LENGTH = 80;
/** Maximum length of a title, in UTF-16 units of the escaped text. */
const TITLE_LENGTH = 2_000;

const CHOSEN = 'You chose to be notified of this alert.';

const PLAIN: Markup = { escape: (text) => text, open: '*', close: '*' };
const HTML: Markup = {
  escape: escapeHtml,
  // Programs that turn pages dark keep both colours or change both.
  open: '<b style="background:#fff2a8;color:#1f2328">',
  close: '</b>',
};

/**
 * Renders a notification as an e-mail, in one column that fits a phone. Control characters, including line breaks, are
 * removed from every value.
 */
export function renderEmail(notification: AlertNotification): EmailContent {
  if (notification.email !== undefined) return notification.email;
  const posts = notification.posts.slice(0, MAX_POSTS_SHOWN);
  const summary = summaryOf(notification, 1_000);
  const name = fitText(notification.alertName, 255);
  const rest = restLine(notification, posts);
  const all = matchesLink(notification);
  const end = notification.unsubscribe?.page;
  return {
    // Start with the service's own words: if the subject were only the user's text, it could impersonate another
    // sender.
    subject: `Alert: ${countMatches(notification)} ${notification.sentence === undefined ? 'matched' : 'for'} ${fitText(notification.alertName, SUBJECT_NAME_LENGTH)}`,
    text: [
      `${name}: ${summary}`,
      ...posts.map((post) => textOf(post, notification)),
      rest,
      all === null ? '' : `Read all matches:\n${all}`,
      end === undefined ? '' : `${CHOSEN} Stop these emails:\n${end}`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    html: [
      '<!doctype html><html><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark"></head>',
      '<body style="margin:0 auto;padding:16px;max-width:600px;font:15px/1.45 system-ui,sans-serif;overflow-wrap:anywhere">',
      `<h1 style="margin:0;font-size:20px">${escapeHtml(name)}</h1>`,
      `<p style="margin:4px 0 16px">${escapeHtml(summary)}</p>`,
      ...posts.map((post) => htmlOf(post, notification)),
      rest === '' ? '' : `<p>${rest}</p>`,
      all === null ? '' : `<p><a href="${escapeHtml(all)}">Read all matches</a></p>`,
      end === undefined
        ? ''
        : `<p style="font-size:13px;opacity:.75">${CHOSEN} <a href="${escapeHtml(end)}">Stop these emails</a></p>`,
      '</body></html>',
    ]
      .filter(Boolean)
      .join('\n'),
  };
}

function textOf(post: NotifiedPost, notification: AlertNotification): string {
  const lines = [
    titleOf(post, TITLE_LENGTH, PLAIN),
    bylineOf(post),
    contextOf(post, PLAIN),
    shownLinkOf(post, notification),
  ];
  return lines.filter(Boolean).join('\n');
}

function htmlOf(post: NotifiedPost, notification: AlertNotification): string {
  const context = contextOf(post, HTML);
  return [
    '<div style="padding:12px 0;border-top:1px solid #8884">',
    `<a href="${escapeHtml(shownLinkOf(post, notification))}" style="font-size:16px;font-weight:600">${titleOf(post, TITLE_LENGTH, HTML)}</a>`,
    `<div style="font-size:13px;opacity:.75">${bylineOf(post, escapeHtml)}</div>`,
    context === '' ? '' : `<div style="margin-top:4px">${context}</div>`,
    '</div>',
  ].join('');
}
