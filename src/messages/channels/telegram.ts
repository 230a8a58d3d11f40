import { statedDelay } from '../../infrastructure/outbound-http/stated-delay.js';
import { contextOf, type Markup, titleOf } from './marked-text.js';
import {
  bylineOf,
  escapeHtml,
  figuresText,
  fitText,
  shownLinkOf,
  matchesLink,
  MAX_POSTS_SHOWN,
  restLine,
  summaryOf,
} from './message-text.js';
import type { AlertNotification, NotifiedPost } from './channel.js';
import { type ChannelConfig, isChatId, threadId } from './channel-config.js';
import { type ChatDefinition, chatChannel } from './chat-channel.js';
import { CHAT_ID, THREAD_ID } from './channel-settings.js';
import { numberAt, type ChatFormat } from './chat-format.js';

/** Limit of https://core.telegram.org/bots/api#sendmessage. Telegram does not count tags, but this code does. */
const TEXT_LIMIT = 4_096;
/** Characters reserved for the line that counts the posts not shown, and for the link to all. */
const REST_ROOM = 64;
const TITLE_LIMIT = 400;
const FIGURES_LIMIT = 2_000;

/** Request body of Telegram's `sendMessage`. */
export interface TelegramMessage {
  chat_id?: string | number;
  message_thread_id?: number;
  text: string;
  parse_mode: 'HTML';
  link_preview_options: { is_disabled: true };
}

/** Renders a notification for Telegram. Posts are shown in full or omitted, so that no link or tag is cut. */
export function renderTelegram(notification: AlertNotification, config: ChannelConfig): TelegramMessage {
  const name = fitText(notification.alertName, 400, escapeText);
  const all = matchesLink(notification);
  const last = all === null ? '' : `\n\n<a href="${escapeHtml(all)}">Read all matches</a>`;
  let text = `<b>${name}</b>: ${summaryOf(notification, 1_000, escapeText)}${figuresText(notification, FIGURES_LIMIT, escapeText)}`;
  const shown: NotifiedPost[] = [];
  for (const post of notification.posts.slice(0, MAX_POSTS_SHOWN)) {
    const block = `\n\n${blockOf(post, notification)}`;
    if (text.length + block.length + last.length + REST_ROOM > TEXT_LIMIT) break;
    text += block;
    shown.push(post);
  }
  const rest = restLine(notification, shown);
  const topic = threadId(config.message_thread_id);
  return {
    ...(isChatId(config.chat_id) && { chat_id: config.chat_id }),
    ...(topic !== null && { message_thread_id: topic }),
    text: (rest === '' ? text : `${text}\n\n${rest}`) + last,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  };
}

/** Telegram's format. */
export const telegram: ChatFormat = {
  render: renderTelegram,
  refuse: (config, url) =>
    !isChatId(config.chat_id) && !url.searchParams.has('chat_id')
      ? 'chat_id is missing: set channel_config.chat_id, or add chat_id to channel_config.webhook_url'
      : null,
  retryAfterMs: ({ body }) => statedDelay(numberAt(body, 'parameters', 'retry_after'), Date.now()),
};

/** Telegram's bots. */
export const TELEGRAM: ChatDefinition = chatChannel('telegram', 'Telegram', () => telegram, [
  CHAT_ID,
  THREAD_ID,
]);

function blockOf(post: NotifiedPost, notification: AlertNotification): string {
  const context = contextOf(post, MARKUP);
  const lines = [
    `<a href="${escapeHtml(shownLinkOf(post, notification))}">${titleOf(post, TITLE_LIMIT, MARKUP)}</a>`,
    bylineOf(post, escapeText),
  ];
  if (context !== '') lines.push(context);
  return lines.join('\n');
}

/** Telegram turns a plain `@name` into a mention; a zero-width space prevents this. */
function escapeText(text: string): string {
  return escapeHtml(text).replace(/@/g, '@\u200b');
}

const MARKUP: Markup = { escape: escapeText, open: '<b>', close: '</b>' };
