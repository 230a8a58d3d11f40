import { storable } from '../http/response-parsing.js';

/** Rules of a site's robots.txt (RFC 9309) for this service. */
export interface Robots {
  /** `path` begins with `/` and includes the query. Percent-encoding makes no difference, as RFC 9309 (2.2.2) says. */
  allows(path: string): boolean;
}

interface Rule {
  allow: boolean;
  /** The parts of the path between its wildcards. */
  parts: string[];
  length: number;
  isWhole: boolean;
}

/** RFC 9309 lets crawlers read no more than this. */
const MAX_LENGTH = 512 * 1_024;
/** Maximum number of rules for this service, and for all crawlers. */
const MAX_RULES = 2_000;
/** Characters of a path that are compared; longer rules, of which an escape is a character, match none. */
const MAX_PATH = 2_000;
const MAX_RULE = 3 * MAX_PATH;
/** A line that counts, up to a comment. */
const LINE = /^[ \t]*(user-agent|allow|disallow)[ \t]*:([^#\r\n]*)/gim;
const ANY_PRODUCT = '*';
/** What counts of a name: robots.txt may add a version or a remark. */
const AGENT = /^(?:\*|[a-z_-]+)/;

/**
 * Parses robots.txt for a product token (in lower case), in linear time. All groups that name the product are one; without
 * any, those for `*` count. The longest matching rule decides; an allowing rule wins a tie; without a matching rule
 * everything is allowed.
 */
export function parseRobots(text: string, product: string): Robots {
  const groups = new Map<string, Rule[]>();
  let current = new Set<Rule[]>();
  let namesAgents = false;
  for (const [, name = '', written = ''] of text.slice(0, MAX_LENGTH).matchAll(LINE)) {
    const [field, value] = [name.toLowerCase(), written.trim()];
    if (field === 'user-agent') {
      if (!namesAgents) current = new Set();
      namesAgents = true;
      const [agent = ''] = AGENT.exec(value.toLowerCase()) ?? [];
      if (agent === product || agent === ANY_PRODUCT) current.add(groupOf(agent, groups));
    } else {
      namesAgents = false;
      if (value === '' || value.length > MAX_RULE) continue;
      for (const rules of current) if (rules.length < MAX_RULES) rules.push(ruleOf(field === 'allow', value));
    }
  }
  const rules = (groups.get(product) ?? groups.get(ANY_PRODUCT) ?? []).sort(strongestFirst);
  return {
    allows: (path) => {
      const encoded = comparable(path.slice(0, MAX_PATH).replace(/[*$]/g, encodeSign));
      return rules.find((rule) => matches(rule, encoded))?.allow ?? true;
    },
  };
}

function groupOf(agent: string, groups: Map<string, Rule[]>): Rule[] {
  const rules = groups.get(agent) ?? [];
  groups.set(agent, rules);
  return rules;
}

function ruleOf(allow: boolean, value: string): Rule {
  const isWhole = value.endsWith('$');
  const path = comparable((isWhole ? value.slice(0, -1) : value).replaceAll('$', encodeSign));
  return { allow, parts: path.split('*'), length: path.length + Number(isWhole), isWhole };
}

const encodeSign = (sign: string): string => (sign === '*' ? '%2A' : '%24');

/**
 * A path and query in the form in which they are compared: characters that need no encoding are not encoded, others are as
 * their bytes of UTF-8; in the query also `:` and `/`.
 */
function comparable(text: string): string {
  const encoded = text
    .replace(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
    })
    .replace(/[^\x21-\x7e]+/g, (other) => encodeURIComponent(storable(other)));
  const query = encoded.indexOf('?');
  return query < 0
    ? encoded
    : encoded.slice(0, query) + encoded.slice(query).replace(/[:/]/g, encodeURIComponent);
}

const strongestFirst = (a: Rule, b: Rule): number => b.length - a.length || Number(b.allow) - Number(a.allow);

/** Each part is found at its first place after the one before, which is enough for `*` wildcards. */
function matches({ parts, isWhole }: Rule, path: string): boolean {
  const [first = '', ...rest] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    if (isWhole && index === rest.length - 1) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}
