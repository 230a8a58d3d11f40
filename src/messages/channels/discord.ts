import { statedDelay } from '../../infrastructure/outbound-http/stated-delay.js';
import { contextOf, titleOf } from './marked-text.js';
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
import { numberAt, type ChatFormat } from './chat-format.js';

/**
 * Limits of https://discord.com/developers/docs/resources/message: number of embeds, length of an embed's title, total
 * length of all embeds. The limit of 2,000 for the content is kept by the figures; its other parts are limited.
 */
const EMBEDS_LIMIT = 10;
const TITLE_LIMIT = 256;
const EMBED_TEXTS_LIMIT = 6_000;
const CONTENT_LIMIT = 2_000;

interface DiscordEmbed {
  title: string;
  url: string;
  description: string;
  footer: { text: string };
}

/** Request body of Discord's incoming webhooks. */
export interface DiscordMessage {
  content: string;
  embeds: DiscordEmbed[];
  /** Empty, so that no text causes a mention. */
  allowed_mentions: { parse: [] };
}

/** Renders a notification for Discord, within Discord's limits and without mentions. */
export function renderDiscord(notification: AlertNotification): DiscordMessage {
  const embeds: DiscordEmbed[] = [];
  const posts = notification.posts.slice(0, Math.min(EMBEDS_LIMIT, MAX_POSTS_SHOWN));
  let budget = EMBED_TEXTS_LIMIT;
  for (const post of posts) {
    const embed = embedOf(post, notification);
    budget -= embed.title.length + embed.description.length + embed.footer.text.length;
    if (budget < 0) break;
    embeds.push(embed);
  }
  const rest = restLine(notification, posts.slice(0, embeds.length));
  const head = `**${fitText(notification.alertName, 300, escapeMarkdown)}**: ${summaryOf(notification, 1_200, escapeMarkdown)}`;
  const all = matchesLink(notification);
  const lines = [
    rest === '' ? head : `${head} (${rest} not shown)`,
    ...(all === null ? [] : [`[Read all matches](<${all}>)`]),
  ];
  const content = lines.join('\n');
  const figures = figuresText(notification, CONTENT_LIMIT - content.length, escapeMarkdown);
  return { content: content + figures, embeds, allowed_mentions: { parse: [] } };
}

/** Discord's format. */
export const discord: ChatFormat = {
  render: renderDiscord,
  refuse: () => null,
  retryAfterMs: ({ body }) => statedDelay(numberAt(body, 'retry_after'), Date.now()),
};

/** Discord's incoming webhooks. */
export const DISCORD: ChatDefinition = chatChannel('discord', 'Discord', () => discord);

function embedOf(post: NotifiedPost, notification: AlertNotification): DiscordEmbed {
  return {
    // Titles are bold already.
    title: titleOf(post, TITLE_LIMIT, { escape: escapeMarkdown, open: '__', close: '__' }),
    url: shownLinkOf(post, notification),
    description: contextOf(post, { escape: escapeMarkdown, open: '**', close: '**' }),
    footer: { text: bylineOf(post) },
  };
}

/** Escapes links, headings and mentions in texts of strangers. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|<>[\]()#@:-]/g, '\\$&');
}
