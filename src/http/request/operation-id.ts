/**
 * Operation ids for which the rule of {@link operationId} gives a wrong name. Generated clients and the audit log use
 * them, so they never change.
 */
const OPERATION_IDS: Record<string, string> = {
  'AdminAuditController.list': 'listAuditEntries',
  'AdminErasuresController.create': 'createAdminErasure',
  'AdminErasuresController.list': 'listAdminErasures',
  'AdminOverviewController.get': 'getAdminOverview',
  'AdminOverviewController.retryJob': 'retryAdminJob',
  'AdminOverviewController.retryDestination': 'retryAdminDestination',
  'AdminWorkspacesController.createKey': 'createAdminApiKey',
  'AdminWorkspacesController.listKeys': 'listAdminApiKeys',
  'AdminWorkspacesController.revokeKey': 'revokeAdminApiKey',
  'JobEventsController.follow': 'followJob',
  'FeedsController.create': 'createFeed',
  'FeedsController.end': 'endFeed',
  'FeedsController.readAtom': 'readAtomFeed',
  'FeedsController.readJson': 'readJsonFeed',
  'FeedsController.readRss': 'readRssFeed',
  'SearchStreamController.follow': 'followSearch',
  'PostsController.annotations': 'getPostAnnotations',
  'PostsController.history': 'getPostHistory',
  'MediaController.list': 'listPostMedia',
  'MediaController.get': 'getPostMedia',
  'AnalyticsController.facets': 'getFacets',
  'AnalyticsController.timeSeries': 'getTimeSeries',
  'AnalyticsController.keywords': 'getKeywords',
  'AnalyticsController.spikes': 'findSpikes',
  'ExplainController.explain': 'getQueryExplanation',
  'ExportJobsController.create': 'createExport',
  'ExportJobsController.list': 'listExports',
  'ExportJobsController.get': 'getExport',
  'ExportJobsController.delete': 'deleteExport',
  'AlertsController.listMatches': 'listAlertMatches',
  'AlertsController.measureRecall': 'getAlertRecall',
  'AlertDeliveriesController.history': 'getAlertDelivery',
  'AlertDeliveriesController.redeliver': 'redeliverAlertDelivery',
  'AlertDeliveriesController.test': 'testAlert',
  'LabelsController.agreement': 'getAgreement',
  'LabelsController.create': 'createLabels',
  'LabelsController.delete': 'deleteLabels',
  'MatchesController.change': 'updateMatches',
  'MatchesController.update': 'updateMatch',
  'NotificationSettingsController.get': 'getNotificationSettings',
  'NotificationSettingsController.update': 'updateNotificationSettings',
  'NotificationLinksController.confirm': 'redeemAddressLink',
  'NotificationLinksController.begin': 'beginUnsubscription',
  'NotificationLinksController.unsubscribe': 'endSubscription',
  'MyDeliveriesController.list': 'listNotificationDeliveries',
  'MembersController.remove': 'removeMember',
  'MembershipsController.move': 'switchWorkspace',
  'SignOnController.get': 'getIdentityProvider',
  'SignOnController.begin': 'beginSignOn',
  'SignOnController.callback': 'completeSignOn',
  'SignOnController.signOut': 'signOutOfIdentityProvider',
  'PinnedTrendsController.createLink': 'createTrendLink',
  'PinnedTrendsController.endLink': 'endTrendLink',
  'ReportsController.latest': 'getLatestReport',
  'SearchesController.create': 'createSearch',
  'SearchesController.get': 'getSearch',
  'SearchesController.update': 'updateSearch',
  'SearchesController.delete': 'deleteSearch',
  'SourcesController.resolve': 'resolveTarget',
  'WorkspaceSessionsController.list': 'listSessions',
  'WorkspaceSessionsController.end': 'endSession',
  'WorkspaceSessionsController.endAll': 'endAllSessions',
  'WebhookDeliveriesController.history': 'getWebhookDelivery',
  'WebhookDeliveriesController.redeliver': 'redeliverWebhookDelivery',
  'WebhookDeliveriesController.test': 'testWebhook',
};

/**
 * The operation id of a controller method: `JobsController.list` is `listJobs`, `JobsController.cancel` is `cancelJob`.
 * A method whose name contains its object (`listForums`) is used unchanged.
 */
export function operationId(controller: string, method: string): string {
  const own = OPERATION_IDS[`${controller}.${method}`];
  if (own !== undefined) return own;
  if (/[A-Z]/.test(method)) return method;
  const things = controller.replace(/Controller$/, '');
  return method + (method === 'list' ? things : things.replace(/s$/, ''));
}
