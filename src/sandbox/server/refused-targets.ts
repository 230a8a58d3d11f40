import { blockPage, json, notFound, type Outcome, tooManyRequests, unavailable } from './answer.js';

const WARNING = 'This community is dedicated to shocking or highly offensive content.';

/** Forums that the platform refuses, each with a different kind of response. */
export const REFUSED_FORUMS: Record<string, () => Outcome> = {
  privateforum: () => json(403, { reason: 'private', message: 'Forbidden', error: 403 }),
  bannedforum: () => json(404, { reason: 'banned', message: 'Not Found', error: 404 }),
  quarantinedforum: () =>
    json(403, {
      reason: 'quarantined',
      quarantine_message: WARNING,
      quarantine_message_html: `&lt;div class="md"&gt;&lt;p&gt;${WARNING}&lt;/p&gt;\n&lt;/div&gt;`,
      message: 'Forbidden',
      error: 403,
    }),
  gatedforum: () =>
    json(403, {
      reason: 'gated',
      interstitial_warning_message: WARNING,
      interstitial_warning_message_html: `&lt;div class="md"&gt;&lt;p&gt;${WARNING}&lt;/p&gt;\n&lt;/div&gt;`,
      message: 'Forbidden',
      error: 403,
    }),
  blockedforum: blockPage,
  downforum: () => unavailable(503),
  slowforum: () => 'hang',
  limitedforum: () => tooManyRequests(1),
};

/** The only suspended account; its posts are answered with 403. */
export const SUSPENDED_USER = 'suspended_user';

/** The response for a forum without content: its refusal, or 404 for an unknown name. */
export const refuseForum = (name: string): Outcome => REFUSED_FORUMS[name.toLowerCase()]?.() ?? notFound();
