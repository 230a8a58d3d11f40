import { SOURCES } from '../../platforms/registry.js';
import { isAccount } from '../suppressions/suppressed-subject.js';

/** What is read of a post or comment. */
export interface PromotedText {
  /** Platform id. */
  id: string;
  author: string;
  texts: readonly string[];
  /** The link of a post; null without one, and for comments. */
  url: string | null;
}

/** Characters that are read of each text, links that are read of a record, and characters of a link. */
const MAX_TEXT = 12_000;
const MAX_LINKS = 20;
const MAX_LINK = 2_000;
/** Shorter names of accounts are often words of addresses. */
const LEAST_NAME = 5;
/** Parts of a path that may name an account: `/NAME`, `/user/NAME`. */
const NAMING_PARTS = 2;

const LINK = /https?:\/\/[^\s<>"'`)\]}|\\]+/gi;
/** What follows the name in an account of a site. */
const HANDLE_END = /@.*|\.bsky\.social$/;
const NOT_OF_NAMES = /[^\p{L}\p{N}]/gu;
/** Parameters by which a shop or service pays for the link. */
const REWARDS =
  /^(?:aff|aff_?id|affiliate(?:_?id)?|coupon(?:_?code)?|promo(?:_?code)?|discount(?:_?code)?|referr?al(?:_?code)?|ref_?code|invite_?code)$/i;
/** The shop whose parameter for this has a common name. */
const SHOP = /(?:^|\.)amazon\.[a-z.]+$/;
const SHOP_REWARD = 'tag';
/** Phrases that ask to buy, order, join or follow. */
const OFFERS = [
  /\b(?:promo|coupon|discount|voucher|referral) ?codes?\b/i,
  /\baffiliate links?\b/i,
  /\b(?:buy|order|shop|book|register|subscribe|sign up) (?:it |yours )?(?:now|today)\b/i,
  /\b(?:check|try) out (?:my|our)\b/i,
  /\b(?:follow|subscribe to) (?:us|our|my)\b/i,
  /\bvisit (?:us|our)\b/i,
  /\bfree (?:trial|shipping)\b/i,
  /\blimited time\b/i,
  /\b(?:tickets|pre-?orders?) (?:are )?(?:now |still )?(?:available|open|on sale)\b/i,
  /\b\d{1,2} ?% off\b/i,
];

/**
 * Whether a post or comment promotes something: it links to a place that is named like its author, to one that pays for
 * the link, or to any other while it asks to buy, order, join or follow. Links to the site where it stands do not
 * count. English phrases only; reads a bounded part of each text, in linear time.
 */
export function isPromotion({ id, author, texts, url }: PromotedText): boolean {
  const read = texts.map((text) => text.slice(0, MAX_TEXT));
  const links = linksOf(id, [url ?? '', ...read]);
  if (links.length === 0) return false;
  const name = isAccount(author) ? folded(author.replace(HANDLE_END, '')) : '';
  return (
    links.some((link) => paysFor(link) || (name.length >= LEAST_NAME && isNamed(link, name, author))) ||
    read.some((text) => OFFERS.some((offer) => offer.test(text)))
  );
}

/** {@link isPromotion} of a post; one without `url` has no link of its own. */
export const isPromotionalPost = ({
  id,
  author,
  title,
  selftext,
  url = null,
}: {
  id: string;
  author: string;
  title: string;
  selftext: string;
  url?: string | null | undefined;
}): boolean => isPromotion({ id, author, texts: [title, selftext], url });

/** {@link isPromotion} of a comment. */
export const isPromotionalComment = ({
  commentId,
  author,
  body,
}: {
  commentId: string;
  author: string;
  body: string;
}): boolean => isPromotion({ id: commentId, author, texts: [body], url: null });

/** The links of texts to other sites than that of an id. */
function linksOf(id: string, texts: readonly string[]): URL[] {
  const found = texts.flatMap((text) => (text.includes('://') ? [...text.matchAll(LINK)] : []));
  if (found.length === 0) return [];
  const { origin } = SOURCES.siteOf(id);
  const site = URL.canParse(origin) ? new URL(origin).hostname.replace(/^www\./, '') : null;
  return found
    .slice(0, MAX_LINKS)
    .flatMap(([link]) => (link.length <= MAX_LINK && URL.canParse(link) ? [new URL(link)] : []))
    .filter(({ hostname }) => site === null || !isWithin(hostname, site));
}

const isWithin = (host: string, site: string): boolean => host === site || host.endsWith(`.${site}`);

const paysFor = ({ hostname, searchParams }: URL): boolean =>
  [...searchParams.keys()].some((key) => REWARDS.test(key) || (key === SHOP_REWARD && SHOP.test(hostname)));

/** Whether an address has the name of an account: as its host, or as a part of host or path. */
function isNamed({ hostname, pathname }: URL, name: string, author: string): boolean {
  if (author.includes('.') && isWithin(hostname, author.toLowerCase())) return true;
  const parts = pathname.split('/', NAMING_PARTS + 1).slice(1);
  return [...hostname.split('.').slice(0, -1), ...parts].some((part) => folded(part) === name);
}

/** A name without case and signs, which differ in addresses. */
const folded = (name: string): string => name.toLowerCase().replace(NOT_OF_NAMES, '');
