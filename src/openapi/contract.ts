import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from '../http/problem.dto.js';
import { ADMIN_SECURITY, applyConventions, TAGS } from './conventions.js';

const DESCRIPTION =
  `Scrapes posts and comments of a public discussion platform, stores them per workspace, scores their sentiment and
serves them.

Send an API key in \`X-API-Key\` with every request; \`Authorization: Bearer rp_…\` is accepted in its place. A key belongs to
one workspace and has scopes: \`read\`, \`write\`, \`admin\`, each of which includes the one before. Operations below \`/admin\`
need the operator's admin token as bearer token instead. Errors are RFC 9457 problem
documents with a stable \`code\`. A POST with an \`Idempotency-Key\` takes effect once, even if it is repeated within
24 hours. Unknown fields and unknown query parameters are refused.`.replaceAll(/(\S)\n(\S)/g, '$1 $2');

/** The OpenAPI 3.1 document of every operation that the application serves. The application need not listen. */
export function createContract(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Workspace Scraping Service')
    .setDescription(DESCRIPTION)
    .setVersion('1.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'This server')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'apiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'rp_…' }, 'bearer')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: "The operator's ADMIN_TOKEN" },
      ADMIN_SECURITY,
    )
    .addSecurityRequirements('apiKey')
    .addSecurityRequirements('bearer');
  for (const { name, description } of Object.values(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDto],
    operationIdFactory: operationId,
  });
  return applyConventions(document);
}

/** Serves Swagger UI at `/docs` and the OpenAPI document at `/docs-json`. */
export function serveDocumentation(app: NestExpressApplication): void {
  SwaggerModule.setup('docs', app, () => createContract(app), {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Workspace Scraping Service',
    raw: ['json'],
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true },
  });
}

/** Operation ids that the rule of {@link operationId} would get wrong. Generated clients use them, so they never change. */
const OPERATION_IDS: Record<string, string> = {
  'AdminWorkspacesController.createKey': 'createAdminApiKey',
  'AdminWorkspacesController.revokeKey': 'revokeAdminApiKey',
  'JobEventsController.follow': 'followJob',
  'PostsController.annotations': 'getPostAnnotations',
  'PostsController.history': 'getPostHistory',
  'MediaController.list': 'listPostMedia',
  'MediaController.get': 'getPostMedia',
  'AnalyticsController.facets': 'getFacets',
  'AnalyticsController.timeSeries': 'getTimeSeries',
  'AnalyticsController.keywords': 'getKeywords',
  'ExportJobsController.create': 'createExport',
  'ExportJobsController.list': 'listExports',
  'ExportJobsController.get': 'getExport',
  'ExportJobsController.delete': 'deleteExport',
  'AlertsController.listMatches': 'listAlertMatches',
  'AlertDeliveriesController.history': 'getAlertDelivery',
  'AlertDeliveriesController.redeliver': 'redeliverAlertDelivery',
  'WebhookDeliveriesController.history': 'getWebhookDelivery',
  'WebhookDeliveriesController.redeliver': 'redeliverWebhookDelivery',
  'WebhookDeliveriesController.test': 'testWebhook',
};

/**
 * The operation id of a controller's method: `JobsController.list` is `listJobs`, `JobsController.cancel` is `cancelJob`.
 * A method whose name contains its object (`listForums`) is used as it is.
 */
export function operationId(controller: string, method: string): string {
  const own = OPERATION_IDS[`${controller}.${method}`];
  if (own !== undefined) return own;
  if (/[A-Z]/.test(method)) return method;
  const things = controller.replace(/Controller$/, '');
  return method + (method === 'list' ? things : things.replace(/s$/, ''));
}
