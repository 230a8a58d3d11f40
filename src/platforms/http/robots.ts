/** What a site's robots.txt (RFC 9309) says to this service. */
export interface Robots {
  /** `path` begins with `/` and includes the query. */
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
const MAX_RULES = 2_000;

/**
 * Parses robots.txt for a product token (in lower case), in linear time. The longest matching rule decides; an allowing
 * rule wins a tie; without a matching rule everything is allowed.
 */
export function parseRobots(text: string, product: string): Robots {
  const groups = new Map<string, Rule[]>();
  let current: string[] = [];
  let namesAgents = false;
  let count = 0;
  for (const line of text.slice(0, MAX_LENGTH).split(/\r\n|\r|\n/)) {
    const [field = '', value = ''] = fieldOf(line);
    if (field === 'user-agent') {
      if (!namesAgents) current = [];
      namesAgents = true;
      current.push(value.toLowerCase());
      if (!groups.has(value.toLowerCase())) groups.set(value.toLowerCase(), []);
    } else if (field === 'allow' || field === 'disallow') {
      namesAgents = false;
      if (value === '' || (count += 1) > MAX_RULES) continue;
      for (const agent of current) groups.get(agent)!.push(ruleOf(field === 'allow', value));
    }
  }
  const rules = groups.get(product) ?? groups.get('*') ?? [];
  return {
    allows: (path) => {
      let best: Rule | null = null;
      for (const rule of rules)
        if (matches(rule, path) && (best === null || isStronger(rule, best))) best = rule;
      return best?.allow ?? true;
    },
  };
}

function fieldOf(line: string): [string, string] | [] {
  const bare = line.split('#', 1)[0]!;
  const colon = bare.indexOf(':');
  return colon < 0 ? [] : [bare.slice(0, colon).trim().toLowerCase(), bare.slice(colon + 1).trim()];
}

function ruleOf(allow: boolean, value: string): Rule {
  const isWhole = value.endsWith('$');
  const path = isWhole ? value.slice(0, -1) : value;
  return { allow, parts: path.split('*'), length: value.length, isWhole };
}

function isStronger(rule: Rule, other: Rule): boolean {
  return rule.length > other.length || (rule.length === other.length && rule.allow);
}

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
