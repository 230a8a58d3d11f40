import { setTimeout as wait } from 'node:timers/promises';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import { Random } from '../../src/sandbox/data/random.js';
import { BlueskyNetwork } from './support/bluesky-network.js';
import { Bench } from './support/harness.js';
import { NamedChat } from './support/named-chat.js';
import { resourcesOf } from './support/resources.js';
import { SeededText } from './support/seeded-text.js';

const WORKSPACES = 200;
const ALERTS = 10_000;
const POSTS_A_SECOND = 50;
const SECONDS = 60;
/** One post in so many matches one alert. */
const MATCHED_EVERY = 25;
/** Not counted, because a newly started worker is still compiling its code. */
const WARM_UP_MATCHES = 10;

/** The way of posts from an event of a stream to a chat message, beside alerts of many workspaces that listen to it. */
export function run(): Promise<object> {
  return Bench.run(async (bench) => {
    const network = await BlueskyNetwork.start();
    bench.atEnd(() => network.close());
    const chat = new NamedChat();
    bench.atEnd(() => chat.close());
    const variables = {
      BLUESKY_APPVIEW_URL: network.address,
      JETSTREAM_URL: network.stream,
      SOURCE_REQUESTS_PER_MINUTE: '1000000',
      QUOTA_LISTENED_POSTS_PER_DAY: '0',
    };
    const api = await bench.application('api', variables);
    const alerts = api.get(AlertsService, { strict: false });
    for (let workspace = 0; workspace < WORKSPACES; workspace += 1) {
      const { workspaceId } = await bench.workspace(`bench ${workspace}`);
      for (let number = workspace; number < ALERTS; number += WORKSPACES)
        await alerts.create(workspaceId, {
          ...{ name: `Alert ${number}`, query: `(topic${number} OR "rare phrase ${number}") -dull` },
          ...{ listen: ['bluesky'], fold_duplicates: false, channel: 'chat_a' },
          channel_config: { webhook_url: chat.address(number) },
        });
    }
    const service = await bench.start('api,worker,scheduler', variables);
    for (let waited = 0; network.mostConnections === 0 && waited < 600; waited += 1) await wait(100);
    const before = resourcesOf(service.pid).cpuSeconds;
    const writtenAt = await writePosts(network);
    const cores = (resourcesOf(service.pid).cpuSeconds - before) / SECONDS;
    return {
      // From the event of the stream to the message at the chat.
      ...(await chat.delays(writtenAt, WARM_UP_MATCHES)),
      // Of a process with all roles, beside the stream.
      cores: Number(cores.toFixed(3)),
    };
  });
}

/** Writes posts at a constant rate; the times of those that an alert matches. */
async function writePosts(network: BlueskyNetwork): Promise<Map<number, number>> {
  const texts = new SeededText(new Random(61));
  const writtenAt = new Map<number, number>();
  const startedAt = performance.now();
  for (let number = 0; number < POSTS_A_SECOND * SECONDS; number += 1) {
    await wait(Math.max(0, startedAt + (number / POSTS_A_SECOND) * 1_000 - performance.now()));
    const isMatch = number % MATCHED_EVERY === 0;
    if (isMatch) writtenAt.set(number, performance.now());
    const words = isMatch ? ` named${number} topic${number}` : '';
    network.write(`k${number}`, { text: texts.sentence(8, 30) + words });
  }
  return writtenAt;
}
