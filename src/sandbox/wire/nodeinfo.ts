import { type Answer, json } from '../server/answer.js';

const PATH = '/nodeinfo/2.1';

/** What a site says of its software; null for another path. */
export function nodeinfo(path: string, name: string): Answer | null {
  if (path === '/.well-known/nodeinfo')
    return json(200, {
      links: [
        { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.1', href: `https://forum.example${PATH}` },
      ],
    });
  if (path !== PATH) return null;
  return json(200, { version: '2.1', software: { name, version: '1.9.0' }, protocols: ['activitypub'] });
}
