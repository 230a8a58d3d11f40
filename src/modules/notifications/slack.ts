import { EXCERPT_LENGTH, fitText, linkOf, MAX_POSTS_SHOWN, restLine, summaryOf } from './message-text.js';
import type { AlertNotification, NotifiedPost } from './channel.js';
import { type ChatDefinition, chatChannel } from './chat-channel.js';
import type { ChatFormat } from './chat-format.js';

/** Limits of https://docs.slack.dev/reference/block-kit/blocks: 50 blocks, 150 in a header, 3,000 in a section. */
const HEADER_LIMIT = 150;
const SECTION_LIMIT = 3_000;
const TITLE_LIMIT = 300;

type SlackText = { type: 'mrkdwn'; text: string } | { type: 'plain_text'; text: string; emoji: false };
type SlackBlock =
  { type: 'header' | 'section'; text: SlackText } | { type: 'context'; elements: SlackText[] };

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
  const rest = restLine(notification, posts.length);
  const blocks: SlackBlock[] = [
    { type: 'header', text: plain(fitText(notification.alertName, HEADER_LIMIT)) },
    { type: 'section', text: plain(fitText(summary, SECTION_LIMIT)) },
    ...posts.flatMap(blocksOf),
  ];
  if (rest !== '') blocks.push({ type: 'context', elements: [plain(rest)] });
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

/** At most three blocks for each post, so that ten posts stay below the limit of 50. */
function blocksOf(post: NotifiedPost): SlackBlock[] {
  const title = fitText(post.title, TITLE_LIMIT, escapeSlack) || 'Untitled';
  const excerpt = fitText(post.selftext, EXCERPT_LENGTH);
  return [
    { type: 'section', text: { type: 'mrkdwn', text: `<${escapeSlack(linkOf(post))}|${title}>` } },
    ...(excerpt === '' ? [] : [{ type: 'section' as const, text: plain(excerpt) }]),
    { type: 'context', elements: [plain(fitText(`${post.forum} · ${post.author}`, 200))] },
  ];
}

function plain(text: string): SlackText {
  return { type: 'plain_text', text: text || ' ', emoji: false };
}

/** Slack parses links and mentions only inside `<…>`; a vertical bar would end the URL of a link. */
function escapeSlack(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\|/g, '¦');
}
