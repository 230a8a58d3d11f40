'use strict';

const { createHmac, randomBytes, timingSafeEqual } = require('node:crypto');
const { events } = require('./operations.json');

const CREDENTIALS = 'workspaceScrapingServiceApi';
/** Requests that were signed longer ago are refused. */
const MAX_AGE_SECONDS = 300;

/** Sends a request to the API with the node's credentials. */
async function call(node, method, path, body) {
  const { baseUrl } = await node.getCredentials(CREDENTIALS);
  return node.helpers.httpRequestWithAuthentication.call(node, CREDENTIALS, {
    method,
    url: `${baseUrl}/api/v1/workspaces/current${path}`,
    json: true,
    ...(body && { body }),
  });
}

/** Whether a request is signed with the secret, as Standard Webhooks says, and is recent. */
function isGenuine({ headers, body }, secret, now) {
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']];
  if (!secret || !id || !(Math.abs(now / 1_000 - Number(timestamp)) <= MAX_AGE_SECONDS)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return String(headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

/** Starts a workflow with each event of the chosen types. Registers a webhook of its own, and removes it. */
exports.WorkspaceScrapingServiceTrigger = class {
  description = {
    displayName: 'Workspace Scraping Service Trigger',
    name: 'workspaceScrapingServiceTrigger',
    icon: 'file:icon.svg',
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts when an alert finds something, or a job or export ends',
    defaults: { name: 'Workspace Scraping Service Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: CREDENTIALS, required: true }],
    webhooks: [
      { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook', rawBody: true },
    ],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['alert.triggered'],
        options: events.map((name) => ({ name, value: name })),
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists() {
        const { webhookId } = this.getWorkflowStaticData('node');
        if (webhookId === undefined) return false;
        const url = this.getNodeWebhookUrl('default');
        const webhooks = await call(this, 'GET', '/webhooks');
        return webhooks.some((one) => one.id === webhookId && one.url === url && one.is_active);
      },

      async create() {
        const secret = `whsec_${randomBytes(32).toString('base64')}`;
        const webhook = await call(this, 'POST', '/webhooks', {
          url: this.getNodeWebhookUrl('default'),
          events: this.getNodeParameter('events'),
          secret,
        });
        Object.assign(this.getWorkflowStaticData('node'), { webhookId: webhook.id, secret });
        return true;
      },

      async delete() {
        const state = this.getWorkflowStaticData('node');
        if (state.webhookId !== undefined)
          try {
            await call(this, 'DELETE', `/webhooks/${state.webhookId}`);
          } catch (error) {
            // It is gone already.
            if (Number(error.httpCode ?? error.response?.status) !== 404) return false;
          }
        delete state.webhookId;
        delete state.secret;
        return true;
      },
    },
  };

  async webhook() {
    const request = this.getRequestObject();
    if (request.rawBody === undefined) await request.readRawBody();
    const { secret } = this.getWorkflowStaticData('node');
    if (!isGenuine({ headers: request.headers, body: request.rawBody }, secret, Date.now())) {
      this.getResponseObject().status(401).end('The signature is not that of the service.');
      return { noWebhookResponse: true };
    }
    return { workflowData: [this.helpers.returnJsonArray(JSON.parse(request.rawBody.toString('utf8')))] };
  }
};
