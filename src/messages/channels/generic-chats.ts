import { type ChatDefinition, chatChannel } from './chat-channel.js';
import { CHAT_ID, THREAD_ID } from './channel-settings.js';
import type { ChatFormat } from './chat-format.js';
import { discord } from './discord.js';
import { slack } from './slack.js';
import { telegram } from './telegram.js';

const SLACK_HOSTS = new Set(['hooks.slack.com', 'hooks.slack-gov.com']);

const slackOr =
  (format: ChatFormat) =>
  ({ hostname }: URL): ChatFormat =>
    SLACK_HOSTS.has(hostname) ? slack : format;

/** Discord's format, or Slack's for Slack's hosts. */
export const CHAT_A: ChatDefinition = {
  ...chatChannel('chat_a', 'Discord (chat_a)', slackOr(discord)),
  isAlias: true,
};

/** Telegram's format, or Slack's for Slack's hosts. */
export const CHAT_B: ChatDefinition = {
  ...chatChannel('chat_b', 'Telegram (chat_b)', slackOr(telegram), [CHAT_ID, THREAD_ID]),
  isAlias: true,
};
