import {
  countPosts,
  EXCERPT_LENGTH,
  keywordList,
  linkOf,
  MAX_POSTS_SHOWN,
  restLine,
} from './alert-wording.js';
import type { AlertNotification, NotifiedPost } from './channel.js';
import { numberAt, type ChatFormat } from './chat-format.js';
import { fitText } from './fit-text.js';

/**
 * Limits of https://discord.com/developers/docs/resources/message: embeds, an embed's title, all embeds' texts. The
 * content's 2,000 are kept by what its parts are cut to.
 */
const EMBEDS_LIMIT = 10;
const TITLE_LIMIT = 256;
const EMBED_TEXTS_LIMIT = 6_000;

interface DiscordEmbed {
  title: string;
  url: string;
  description: string;
  footer: { text: string };
}

export interface DiscordMessage {
  content: string;
  embeds: DiscordEmbed[];
  /** Nobody is pinged, whatever a text holds. */
  allowed_mentions: { parse: [] };
}

export function renderDiscord(notification: AlertNotification): DiscordMessage {
  const embeds: DiscordEmbed[] = [];
  let budget = EMBED_TEXTS_LIMIT;
  for (const post of notification.posts.slice(0, Math.min(EMBEDS_LIMIT, MAX_POSTS_SHOWN))) {
    const embed = embedOf(post);
    budget -= embed.title.length + embed.description.length + embed.footer.text.length;
    if (budget < 0) break;
    embeds.push(embed);
  }
  const rest = restLine(notification, embeds.length);
  const head = `**${fitText(notification.alertName, 300, escapeMarkdown)}**: ${countPosts(notification.totalPosts)} with ${fitText(keywordList(notification.keywords), 1_200, escapeMarkdown)}`;
  return {
    content: rest === '' ? head : `${head} (${rest} not shown)`,
    embeds,
    allowed_mentions: { parse: [] },
  };
}

export const discord: ChatFormat = {
  render: renderDiscord,
  refuse: () => null,
  retryAfterMs: ({ body }) => {
    const seconds = numberAt(body, 'retry_after');
    return seconds === null ? null : Math.ceil(seconds * 1_000);
  },
};

function embedOf(post: NotifiedPost): DiscordEmbed {
  return {
    title: fitText(post.title, TITLE_LIMIT, escapeMarkdown) || 'Untitled',
    url: linkOf(post),
    description: fitText(post.selftext, EXCERPT_LENGTH * 2, escapeMarkdown),
    footer: { text: fitText(`${post.forum} · ${post.author}`, 200) },
  };
}

/** Texts of strangers must not become links, headings or mentions. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|<>[\]()#@:-]/g, '\\$&');
}
