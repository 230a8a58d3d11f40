import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { escapeHtml } from '../../messages/channels/message-text.js';
import type { AnswerTo, AssistantScope, AuthorizationRequest } from './authorization-request.js';
import { isLoopback } from './redirect-uri.js';

/** A workspace that the person may choose, and the widest right that they can give there. */
export interface ChoosableWorkspace {
  id: string;
  name: string;
  widest: AssistantScope;
  isCurrent: boolean;
}

const RIGHTS: Record<AssistantScope, string> = {
  read: 'Read: search and count what is collected, and see alerts and jobs',
  write: 'Read and write: also start scrapes and create alerts',
};

/** The colours are those of the dashboard. */
const STYLE = `
:root { color-scheme: light dark; font: 14px/1.5 'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f7f7f9, #0f1013); color: light-dark(#17181d, #ececf1) }
main { box-sizing: border-box; width: min(30rem, 100vw - 2rem); padding: 1.5rem; border-radius: .75rem; overflow-wrap: anywhere;
  background: light-dark(#ffffff, #17181d); border: 1px solid light-dark(#e0e1e7, #2f323a) }
h1 { font-size: 1.15rem; margin: 0 0 .75rem }
fieldset { border: 0; margin: 0 0 1rem; padding: 0 } legend, .label { display: block; font-weight: 600; margin-bottom: .25rem }
label { display: block; padding: .15rem 0 } .muted { color: light-dark(#545866, #a8acb9) } a { color: light-dark(#3346c8, #97a8ff) }
select { width: 100%; margin-bottom: 1rem } select, button { font: inherit; padding: .45rem .9rem; border-radius: .5rem; color: inherit;
  background: light-dark(#ffffff, #17181d); border: 1px solid light-dark(#858997, #7b8090) }
button[value=allow] { background: light-dark(#3346c8, #97a8ff); color: light-dark(#ffffff, #0d1026); border-color: transparent }
:focus-visible { outline: 2px solid light-dark(#3346c8, #97a8ff); outline-offset: 2px }`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Says who asks, where the answer goes, and lets the person choose or refuse. */
export function consentPage(
  request: AuthorizationRequest,
  workspaces: readonly ChoosableWorkspace[],
  parameters: Readonly<Record<string, string>>,
): string {
  const name = escapeHtml(request.client.name);
  const rights = (['read', 'write'] as const).filter(
    (one) =>
      one === 'read' || (request.scope === 'write' && workspaces.some(({ widest }) => widest === 'write')),
  );
  const options = workspaces.map(
    ({ id, name: shown, widest, isCurrent }) =>
      `<option value="${escapeHtml(id)}"${isCurrent ? ' selected' : ''}>${escapeHtml(shown)}${widest === 'read' ? ' (only reading)' : ''}</option>`,
  );
  const choices = rights.map(
    (one) =>
      `<label><input type="radio" name="access" value="${one}"${one === 'read' ? ' checked' : ''}> ${RIGHTS[one]}</label>`,
  );
  return page(
    `Give ${name} access?`,
    `<p>${name}${originOf(request)} asks for access to collected discussions. The answer goes to <strong>${escapeHtml(placeOf(request))}</strong>.</p>
<p class="muted">The name is the assistant's own claim. Allow it only if you have just connected it yourself.${doubtOf(request)}</p>
<form method="post">${hiddenFields(parameters)}
<label class="label" for="workspace">Workspace</label><select id="workspace" name="workspace">${options.join('')}</select>
<fieldset><legend>Rights</legend>${choices.join('')}</fieldset>
<p class="muted">It ends after 90 days, and when you end it in Settings.</p>
<button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Refuse</button></form>`,
  );
}

/**
 * Leads a browser without a session to the same page once more: a browser that comes from another site sends its session
 * only then. If it has none, the person signs in first.
 */
export function signInPage(parameters: Readonly<Record<string, string>>, isFirst: boolean): string {
  const again = escapeHtml(`?${new URLSearchParams({ ...parameters, again: '1' }).toString()}`);
  return page(
    'Sign in first',
    `<p>1. <a href="/" target="_blank" rel="noopener">Sign in to the dashboard</a>, in a new tab.</p>
<p>2. <a href="${again}">Continue here</a>.</p>`,
    isFirst ? `<meta http-equiv="refresh" content="0; url=${again}">` : '',
  );
}

/** Says why a request cannot be granted. It leads back only by a link, because any address can be registered. */
export const refusalPage = (why: string, back: { to: AnswerTo; address: string } | null): string =>
  page(
    'This does not work',
    `<p>${escapeHtml(why)}</p>${back === null ? '' : `<p><a href="${escapeHtml(back.address)}">Back to ${escapeHtml(placeOf(back.to))}</a></p>`}`,
  );

/** Sends a page that no other page can frame, and whose form leads only to this service and to the assistant. */
export function sendPage(response: Response, status: number, html: string, redirectUri?: string): void {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self'${redirectUri === undefined ? '' : ` ${sourceOf(new URL(redirectUri))}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  response
    .status(status)
    .set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy.join('; '),
      'X-Frame-Options': 'DENY',
      // Without a policy of its own, the form would be sent without an Origin.
      'Referrer-Policy': 'same-origin',
    })
    .type('html')
    .send(html);
}

/** The host that describes the assistant. */
const originOf = ({ client: { host } }: AnswerTo): string =>
  host === null ? '' : `, described by <strong>${escapeHtml(host)}</strong>,`;

/** A program that gets its answer on this computer may send the id of any other. */
const doubtOf = ({ client: { host }, redirectUri }: AnswerTo): string =>
  host === null || !isLoopback(new URL(redirectUri))
    ? ''
    : ` Any program on this computer can say that ${escapeHtml(host)} describes it.`;

/** Where an answer goes, for people. */
function placeOf({ redirectUri }: AnswerTo): string {
  const url = new URL(redirectUri);
  return isLoopback(url) ? `a program on this computer (${url.host})` : url.host;
}

/** The source expression of an address; policies know no IPv6 addresses. */
const sourceOf = (url: URL): string => (url.hostname.startsWith('[') ? url.protocol : url.origin);

const hiddenFields = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');

const page = (title: string, body: string, head = ''): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}
<title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`;
