'use strict';

/** An API key, and where the service is. */
exports.WorkspaceScrapingServiceApi = class {
  name = 'workspaceScrapingServiceApi';
  displayName = 'Workspace Scraping Service API';
  properties = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: 'http://127.0.0.1:3000',
      description: 'Address of the service, without a slash at its end',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'A key of the workspace. Triggers, jobs and alerts need the scope write.',
    },
  ];
  authenticate = {
    type: 'generic',
    properties: { headers: { 'X-API-Key': '={{$credentials.apiKey}}' } },
  };
  test = { request: { baseURL: '={{$credentials.baseUrl}}', url: '/api/v1/workspace' } };
};
