import {
  countMatches,
  escapeHtml,
  EXCERPT_LENGTH,
  fitText,
  linkOf,
  MAX_POSTS_SHOWN,
  restLine,
  summaryOf,
} from './message-text.js';
import type { AlertNotification, NotifiedPost } from './channel.js';

/** Maximum length of an alert's name in a subject, in UTF-16 units. */
const SUBJECT_NAME_LENGTH = 80;

/** The rendered parts of an e-mail. */
export interface EmailContent {
  subject: string;
  text: string;
  html: string;
}

/** Renders a notification as an e-mail. Control characters, including line breaks, are removed from every value. */
export function renderEmail(notification: AlertNotification): EmailContent {
  const posts = notification.posts.slice(0, MAX_POSTS_SHOWN);
  const summary = summaryOf(notification, 1_000);
  const name = fitText(notification.alertName, 255);
  const rest = restLine(notification, posts.length);
  return {
    // Start with the service's own words: if the subject were only the user's text, it could impersonate another
    // sender.
    subject: `Alert: ${countMatches(notification)} ${notification.spike === undefined ? 'matched' : 'for'} ${fitText(notification.alertName, SUBJECT_NAME_LENGTH)}`,
    text: [`${name}: ${summary}`, ...posts.map(textOf), rest].filter(Boolean).join('\n\n'),
    html: [
      '<!doctype html><html><body>',
      `<h1 style="font-size:18px">${escapeHtml(name)}</h1><p>${escapeHtml(summary)}</p>`,
      ...posts.map(htmlOf),
      rest === '' ? '' : `<p>${rest}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

function textOf(post: NotifiedPost): string {
  const lines = [
    fitText(post.title, 300),
    bylineOf(post),
    linkOf(post),
    fitText(post.selftext, EXCERPT_LENGTH),
  ];
  return lines.filter(Boolean).join('\n');
}

function htmlOf(post: NotifiedPost): string {
  const title = fitText(post.title, 300, escapeHtml) || 'Untitled';
  const excerpt = fitText(post.selftext, EXCERPT_LENGTH, escapeHtml);
  return (
    `<p><a href="${escapeHtml(linkOf(post))}">${title}</a><br><small>${escapeHtml(bylineOf(post))}</small>` +
    `${excerpt === '' ? '' : `<br>${excerpt}`}</p>`
  );
}

function bylineOf(post: NotifiedPost): string {
  return fitText(`${post.forum} · ${post.author}`, 200);
}
