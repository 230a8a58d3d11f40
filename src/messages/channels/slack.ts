import { contextParts, titleParts } from './marked-text.js';
import {
  bylineOf,
  figuresText,
  fitText,
  shownLinkOf,
  matchesLink,
  MAX_POSTS_SHOWN,
  restLine,
  summaryOf,
} from './message-text.js';
import type { AlertNotification, NotifiedPost } from './channel.js';
import { type ChatDefinition, chatChannel } from './chat-channel.js';
import type { ChatFormat } from './chat-format.js';

/** Limits of https://docs.slack.dev/reference/block-kit/blocks: 50 blocks, 150 in a header, 3,000 in a section. */
const HEADER_LIMIT = 150;
const SECTION_LIMIT = 3_000;

type SlackText = { type: 'plain_text'; text: string; emoji: false };
/** A piece of rich text, whose texts are never read as markup. */
type SlackPiece =
  | { type: 'text'; text: string; style?: { bold?: true; italic?: true } }
  | { type: 'link'; url: string; text: string; style?: { bold: true } };
type SlackBlock =
  | { type: 'header' | 'section'; text: SlackText }
  | { type: 'rich_text'; elements: [{ type: 'rich_text_section'; elements: SlackPiece[] }] };

/** Request body of Slack's incoming webhooks. */
export interface SlackMessage {
  /** Shown in the notifications of Slack's apps. */
  text: string;
  blocks: SlackBlock[];
  unfurl_links: false;
  unfurl_media: false;
}

/** Renders a notification for Slack, within Slack's limits and without mentions. */
export function renderSlack(notification: AlertNotification): SlackMessage {
  const posts = notification.posts.slice(0, MAX_POSTS_SHOWN);
  const summary = summaryOf(notification, SECTION_LIMIT);
  const figures = figuresText(notification, SECTION_LIMIT);
  const rest = restLine(notification, posts);
  const all = matchesLink(notification);
  const blocks: SlackBlock[] = [
    { type: 'header', text: plain(fitText(notification.alertName, HEADER_LIMIT)) },
    { type: 'section', text: plain(fitText(summary, SECTION_LIMIT)) },
    ...(figures === '' ? [] : [{ type: 'section' as const, text: plain(figures.slice(1)) }]),
    ...posts.map((post) => richText(piecesOf(post, notification))),
  ];
  const last: SlackPiece[] = [
    ...(rest === '' ? [] : [{ type: 'text' as const, text: all === null ? rest : `${rest}. ` }]),
    ...(all === null ? [] : [{ type: 'link' as const, url: all, text: 'Read all matches' }]),
  ];
  if (last.length > 0) blocks.push(richText(last));
  return {
    text: `${fitText(notification.alertName, 300, escapeSlack)}: ${fitText(summary, 1_000, escapeSlack)}`,
    blocks,
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** Slack's format. */
export const slack: ChatFormat = {
  render: renderSlack,
  refuse: () => null,
  retryAfterMs: () => null,
};

/** Slack's incoming webhooks. */
export const SLACK: ChatDefinition = chatChannel('slack', 'Slack', () => slack);

function richText(pieces: SlackPiece[]): SlackBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: pieces }] };
}

/** The title as a link, where the post is from, and its context. */
function piecesOf(post: NotifiedPost, notification: AlertNotification): SlackPiece[] {
  const url = shownLinkOf(post, notification);
  const context = contextParts(post).map(({ text, isMarked }): SlackPiece => ({
    type: 'text',
    text,
    ...(isMarked && { style: { bold: true } }),
  }));
  return [
    ...titleParts(post).map(({ text, isMarked }): SlackPiece => ({
      type: 'link',
      url,
      text,
      ...(isMarked && { style: { bold: true } }),
    })),
    { type: 'text', text: `\n${bylineOf(post)}`, style: { italic: true } },
    ...(context.length === 0 ? [] : [{ type: 'text' as const, text: '\n' }, ...context]),
  ];
}

function plain(text: string): SlackText {
  return { type: 'plain_text', text: text || ' ', emoji: false };
}

/** Slack parses links and mentions of the summary only inside `<…>`. */
function escapeSlack(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
