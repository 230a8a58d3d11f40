import { normalized } from '../common/strings.js';
import { createHash } from 'node:crypto';
import type { ContentSource, PlatformDefinition, Resolution } from './platform-definition.js';
import { type Target, TARGET_TYPES } from './platform.js';

/** Numbers of comments whose source has no exact ones: all negative safe integers. */
const HASHED = { from: -Number.MAX_SAFE_INTEGER, to: 0 } as const;

/** The source of a target, and the target in its normal form without the source's prefix; or why no source has it. */
export type SourcedTarget = { definition: PlatformDefinition; target: Target } | { refusal: string };

/** The source of an id of an unknown form. */
const UNKNOWN_SOURCE = 'unknown';

/** Longer texts are no addresses; parsing a host takes time that grows with the square of its length. */
const MAX_ADDRESS = 2_000;
/** What looks like an address: with a scheme, or a host name with a dot before a slash. */
const ADDRESS = /^(?:https?:\/\/|[a-z\d-]+(?:\.[a-z\d-]+)+\/)/i;

/** The known platforms: finds the one of a target, an id or an address. */
export class PlatformRegistry {
  private readonly definitions: PlatformDefinition[] = [];
  private sources: readonly ContentSource[] = [];

  /** Throws when two definitions have a name, a prefix or an id prefix in common, or none is for targets without prefix. */
  constructor(definitions: readonly PlatformDefinition[]) {
    for (const definition of definitions) this.register(definition);
  }

  /** All platforms, in the order of registration. */
  get all(): readonly PlatformDefinition[] {
    return this.definitions;
  }

  /** Adds a platform before the service starts; the returned function removes it. Throws when a name is taken. */
  register(definition: PlatformDefinition): () => void {
    const names = namesOf(definition);
    const taken = this.definitions.find((other) => namesOf(other).some((name) => names.includes(name)));
    if (taken)
      throw new Error(`The source ${definition.source} has a name, prefix or id form of ${taken.source}`);
    this.definitions.push(definition);
    this.sources = this.definitions.flatMap(contentOf);
    return () => {
      this.definitions.splice(this.definitions.indexOf(definition), 1);
      this.sources = this.definitions.flatMap(contentOf);
    };
  }

  /** The sources of all stored content, synthetic ones too. Of two whose ids begin alike, the one with the longer prefix is first. */
  get contents(): readonly ContentSource[] {
    return this.sources;
  }

  /** The source of stored content with this name; undefined if there is none. */
  content(source: string): ContentSource | undefined {
    return this.sources.find((one) => one.source === source);
  }

  /** The platform with this name; undefined if there is none. */
  find(source: string): PlatformDefinition | undefined {
    return this.definitions.find((definition) => definition.source === source);
  }

  /** The platform of a target, by its prefix. Prefixes are case-insensitive. */
  ofTarget(name: string): PlatformDefinition {
    return this.split(name).definition;
  }

  /** The platform of a target and the target's normal form, or why it cannot exist. */
  parse(target: Target): SourcedTarget {
    const { definition, rest } = this.split(target.name);
    const parsed = definition.parseTarget({ ...target, name: rest });
    return 'refusal' in parsed ? parsed : { definition, target: parsed.target };
  }

  /**
   * The name of a target as jobs store it: in its normal form with the source's prefix, whether it was given so, in
   * another spelling (`r/technology`) or as an address. Or why no source has it.
   */
  nameOf(target: Target): { name: string } | { refusal: string } {
    const found = ADDRESS.test(target.name.trim()) ? this.resolve(target.name.trim()) : null;
    if (found !== null && 'refusal' in found) return found;
    if (found !== null)
      return found.targetType === target.type
        ? { name: found.target }
        : {
            refusal: `${target.name} is a ${found.targetType}: send \`target\` "${found.target}" with \`target_type\` "${found.targetType}"`,
          };
    const parsed = this.parse(target);
    if ('refusal' in parsed) return parsed;
    const { definition, target: normal } = parsed;
    return { name: definition.prefix === null ? normal.name : `${definition.prefix}:${normal.name}` };
  }

  /**
   * The name of the forum of stored posts that was given in any spelling or as an address; `u/NAME` is the forum of an
   * account's profile. Or why no post has such a forum.
   */
  forumOf(text: string): { name: string } | { refusal: string } {
    if (!ADDRESS.test(text.trim()) && this.ofTarget(text).prefix !== null) return this.forumOfName(text);
    const forum = this.nameOf({ type: 'forum', name: text });
    if ('name' in forum) return this.forumOfName(forum.name);
    const user = this.nameOf({ type: 'user', name: text });
    return 'name' in user && this.ofTarget(user.name).prefix === null ? { name: `u_${user.name}` } : forum;
  }

  private forumOfName(name: string): { name: string } | { refusal: string } {
    const { definition, rest } = this.split(name);
    const forum = definition.parseForum?.(rest.trim()) ?? { name: rest };
    return 'refusal' in forum || definition.prefix === null
      ? forum
      : { name: `${definition.prefix}:${forum.name}` };
  }

  /**
   * The targets that a text without a type may name, in any spelling or as an address, as jobs store them; at most one
   * for each type.
   */
  targetsNamed(text: string): Target[] {
    return TARGET_TYPES.flatMap((type) => {
      const found = this.nameOf({ type, name: text });
      return 'name' in found && found.name !== '' ? { type, name: found.name } : [];
    });
  }

  /** The target at an address, with or without its scheme, or why it names none; null when no source knows it. */
  resolve(address: string): (Resolution & { source: string }) | null {
    const url = this.urlOf(address);
    if (url === null) return null;
    for (const { source, resolve } of this.definitions) {
      const found = resolve(url);
      if (found !== null) return { ...found, source };
    }
    return null;
  }

  /** The URL that a text stands for: an address, with or without its scheme, or `@NAME@SITE` and `!NAME@SITE`; null for another text. */
  urlOf(text: string): URL | null {
    if (text.length > MAX_ADDRESS) return null;
    const [, kind, name, site] = /^([@!])([^\s/@]+)@([^\s/@]+)$/.exec(text) ?? [];
    const own = this.definitions
      .map(({ addressOf }) => addressOf?.(text) ?? null)
      .find((one) => one !== null);
    const page = kind === undefined ? own : `https://${site}/${kind === '!' ? `c/${name}` : `@${name}`}`;
    const written = page ?? (/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
    const url = URL.canParse(written) ? new URL(written) : null;
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' ? url : null;
  }

  /** Whether targets that differ from this one only in case are different targets. */
  isCaseSensitive({ name, type }: Target): boolean {
    return this.ofTarget(name).isCaseSensitive(type);
  }

  /** The source of a post or comment, by the form of its id; undefined for an unknown form. */
  ofId(id: string): ContentSource | undefined {
    return this.sources.find((one) => isOf(one, id));
  }

  /** The names of all sources to which a post or comment belongs: its own, and the one that a synthetic source replaces. */
  sourcesOf(id: string): string[] {
    return this.sources.filter((one) => isOf(one, id)).map(({ source }) => source);
  }

  /** The name of the source of a post or comment, by the form of its id. */
  sourceOf(id: string): string {
    return this.ofId(id)?.source ?? UNKNOWN_SOURCE;
  }

  /** The same as {@link sourceOf}, as an SQL expression over a column of ids. */
  sourceSql(column: string): string {
    const cases = this.sources.map(({ source, ids }) => {
      const forms = new Set([ids.post, ids.comment]);
      return `WHEN ${[...forms].map((form) => `starts_with(${column}, '${form}')`).join(' OR ')} THEN '${source}'`;
    });
    return `CASE ${cases.join(' ')} ELSE '${UNKNOWN_SOURCE}' END`;
  }

  /**
   * The site of a post: the origin to which its permalink is appended, and how to shorten a permalink. The site of the
   * first platform for an id of an unknown form.
   */
  siteOf(postId: string): Pick<ContentSource, 'origin' | 'shortPath'> {
    const { origin, origins = {}, shortPath } = this.ofId(postId) ?? this.definitions[0]!;
    // The site in an id is what stands between its first and its last `_`.
    const site = postId.slice(postId.indexOf('_') + 1, postId.lastIndexOf('_'));
    const own = Object.hasOwn(origins, site) ? origins[site]! : origin.replace('{site}', site);
    return { origin: own, ...(shortPath && { shortPath }) };
  }

  /**
   * The number of a comment: stable, a safe integer, and independent of any sequence. Exact where the source numbers its
   * comments, otherwise a hash of the id with 53 bits.
   */
  commentNumber(commentId: string): number {
    for (const { ids } of this.sources) {
      const number = ids.numbers?.of(commentId) ?? null;
      if (number !== null) return number;
    }
    const hash = createHash('sha256').update(commentId).digest();
    return -(1 + ((hash.readUIntBE(0, 6) * 32 + (hash[6]! >> 3)) % Number.MAX_SAFE_INTEGER));
  }

  /** The range of numbers of comments whose ids begin with a prefix: inclusive start, exclusive end. */
  commentNumbers(prefix: string): [number, number] {
    const { from, to } = this.sources.find(({ ids }) => ids.comment === prefix)?.ids.numbers ?? HASHED;
    return [from, to];
  }

  /** Names are composed, as those of stored content are. */
  private split(given: string): { definition: PlatformDefinition; rest: string } {
    const name = normalized(given);
    const [, prefix = '', rest = ''] = /^([a-z]+):(.*)$/is.exec(name) ?? [];
    const definition = this.definitions.find((one) => one.prefix === prefix.toLowerCase());
    if (definition) return { definition, rest };
    return { definition: this.definitions.find((one) => one.prefix === null)!, rest: name };
  }
}

/** Whether an id has the form of a source. */
const isOf = ({ ids }: ContentSource, id: string): boolean =>
  id.startsWith(ids.post) || id.startsWith(ids.comment);

/** The sources of the content of a platform, with the longer prefixes of ids first. */
const contentOf = (definition: PlatformDefinition): ContentSource[] =>
  definition.synthetic === undefined ? [definition] : [definition.synthetic, definition];

/** What must be unique: the names of its sources, its prefix and the forms of its ids. */
function namesOf(definition: PlatformDefinition): string[] {
  const names = contentOf(definition).flatMap(({ source, ids }) => [
    `source ${source}`,
    `id ${ids.post}`,
    `id ${ids.comment}`,
  ]);
  return [...names, `prefix ${definition.prefix}`];
}
