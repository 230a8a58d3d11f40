/** The fields of posts that tests check, as they are on the wire. */
export interface WirePost {
  name: string;
  title: string;
  author: string;
  subreddit: string;
  selftext: string;
  url: string;
  permalink: string;
  created_utc: number;
  num_comments: number;
  edited: boolean | number;
  is_self: boolean;
  stickied: boolean;
  post_hint?: string;
  crosspost_parent_list?: WirePost[];
  gallery_data?: { items: { media_id: string }[] } | null;
  media_metadata?: Record<string, unknown>;
  media: { reddit_video?: { fallback_url: string; has_audio: boolean } } | null;
  preview?: { images: { source: { url: string } }[] };
}

export interface WireComment {
  name: string;
  parent_id: string;
  author: string;
  body: string;
  replies: '' | Listing<CommentThing>;
}

export type CommentThing =
  | { kind: 't1'; data: WireComment }
  | { kind: 'more'; data: { id: string; parent_id: string; count: number; children: string[] } };

export interface Listing<T> {
  kind: 'Listing';
  data: { after: string | null; children: T[] };
}

export type PostThing = { kind: 't3'; data: WirePost };

/** The simplest complete client of the wire protocol: no rate limiting and no retries, but it misses nothing. */
export class SandboxClient {
  private token = '';

  constructor(readonly baseUrl: string) {}

  async signIn(): Promise<this> {
    const answer = await this.grant('secret');
    this.token = ((await answer.json()) as { access_token: string }).access_token;
    return this;
  }

  grant(secret: string): Promise<Response> {
    return fetch(`${this.baseUrl}/api/v1/access_token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`id:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
  }

  ask(path: string, form?: Record<string, string>): Promise<Response> {
    return fetch(this.baseUrl + path, {
      headers: { authorization: `bearer ${this.token}` },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
  }

  /** The JSON of a response, with the type that the caller claims. */
  async json<T>(path: string, form?: Record<string, string>): Promise<T> {
    return (await (await this.ask(path, form)).json()) as T;
  }

  async posts(path: string): Promise<WirePost[]> {
    const { data } = await this.json<Listing<PostThing>>(path);
    return data.children.map((child) => child.data);
  }

  /** Every page of a listing. */
  async walkListing(path: string): Promise<WirePost[]> {
    const posts: WirePost[] = [];
    for (let after: string | null = ''; after !== null;) {
      const address: string = `${path}${path.includes('?') ? '&' : '?'}limit=100&after=${after}`;
      const { data } = await this.json<Listing<PostThing>>(address);
      posts.push(...data.children.map((child) => child.data));
      after = data.after;
    }
    return posts;
  }

  /** Every comment of a post (bare id): continued threads first, then stubs in full batches. */
  async walkTree(id: string): Promise<{ names: Set<string>; requests: number }> {
    const names = new Set<string>();
    const doors: string[] = [];
    const ids: string[] = [];
    let requests = 0;
    const take = (thing: CommentThing): void => {
      if (thing.kind === 'more') {
        if (thing.data.id === '_') doors.push(thing.data.parent_id.slice(3));
        else ids.push(...thing.data.children);
        return;
      }
      names.add(thing.data.name);
      if (thing.data.replies !== '') thing.data.replies.data.children.forEach(take);
    };
    const enter = async (path: string): Promise<void> => {
      requests++;
      const [, comments] = await this.json<[Listing<PostThing>, Listing<CommentThing>]>(path);
      comments.data.children.forEach(take);
    };
    await enter(`/comments/${id}?limit=500`);
    while (doors.length + ids.length > 0) {
      const door = doors.pop();
      if (door !== undefined) await enter(`/comments/${id}/_/${door}?limit=500`);
      else {
        requests++;
        (await this.moreChildren(`t3_${id}`, ids.splice(0, 100))).forEach(take);
      }
    }
    return { names, requests };
  }

  async moreChildren(link: string, ids: string[]): Promise<CommentThing[]> {
    const form = { api_type: 'json', link_id: link, children: ids.join(',') };
    const answer = await this.json<{ json: { data: { things: CommentThing[] } } }>('/api/morechildren', form);
    return answer.json.data.things;
  }
}
