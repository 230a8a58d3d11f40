'use strict';

const { properties } = require('./operations.json');

/** The operations that people automate, as `operations.json` describes them; n8n sends the requests. */
exports.WorkspaceScrapingService = class {
  description = {
    displayName: 'Workspace Scraping Service',
    name: 'workspaceScrapingService',
    icon: 'file:icon.svg',
    group: ['input'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Collect, search and triage posts and comments of public discussion platforms',
    defaults: { name: 'Workspace Scraping Service' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'workspaceScrapingServiceApi', required: true }],
    requestDefaults: {
      baseURL: '={{$credentials.baseUrl}}/api/v1/workspaces/current',
      headers: { Accept: 'application/json' },
      arrayFormat: 'repeat',
    },
    properties,
  };
};
