import { HttpReceiver, sendJson } from '../receivers.js';
import { LISTENED_FEED } from './listened-feed.js';
import { LISTENED_GITHUB } from './listened-github.js';
import { LISTENED_HACKERNEWS } from './listened-hackernews.js';
import { LISTENED_LEMMY } from './listened-lemmy.js';
import { LISTENED_MASTODON } from './listened-mastodon.js';
import type { ListenedSource, Written } from './listened-source.js';

/** The sources that are read again and again. */
export const LISTENED: readonly ListenedSource[] = [
  LISTENED_HACKERNEWS,
  LISTENED_LEMMY,
  LISTENED_MASTODON,
  LISTENED_GITHUB,
  LISTENED_FEED,
];

const STATUSES = [500, 503, 502];

/** All sources of {@link LISTENED} on one server. */
export class ListenedNetwork {
  private readonly texts = new Map<ListenedSource, Written[]>(LISTENED.map((source) => [source, []]));
  private failing = 0;
  private received = 0;

  private constructor(private readonly server: HttpReceiver) {}

  /** `failing` is the share of the requests that fail, in [0, 1]. */
  static async start(failing: number): Promise<ListenedNetwork> {
    const server = await HttpReceiver.serve((request, response) => {
      network.received += 1;
      const nth = network.received;
      if (Math.floor(nth * network.failing) > Math.floor((nth - 1) * network.failing))
        return void response.writeHead(STATUSES[nth % STATUSES.length]!).end();
      for (const [source, texts] of network.texts) {
        const answer = source.answer(request.path, request.params, texts);
        if (answer === null) continue;
        return typeof answer === 'string' ? void response.end(answer) : sendJson(response, 200, answer);
      }
      sendJson(response, 404, { error: 'Record not found' });
    });
    const network = new ListenedNetwork(server);
    network.failing = failing;
    return network;
  }

  /** Variables of a service that reads from this server. */
  get variables(): Record<string, string> {
    const { url } = this.server;
    return {
      HACKERNEWS_API_URL: `${url}/hackernews`,
      GITHUB_API_URL: `${url}/github`,
      GITHUB_TOKEN: 'a-token',
      HACKERNEWS_REQUESTS_PER_HOUR: '1000000',
      SOURCE_REQUESTS_PER_MINUTE: '1000000',
      SOURCE_SITES: LISTENED.flatMap(({ site }) => (site === undefined ? [] : `${site}=${url}`)).join(','),
    };
  }

  /** Writes a post, or a comment below one; returns it. */
  write(source: ListenedSource, text: string, above: Written | null = null): Written {
    const texts = this.texts.get(source)!;
    const written = { text, at: new Date(), above: above?.number ?? null, isDeleted: false };
    const before = texts.filter(
      (other) => !source.numbersApart || (other.above === null) === (above === null),
    );
    const one = { number: before.length + 1, ...written };
    texts.push(one);
    return one;
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
