import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from '../http/problem.dto.js';
import { applyConventions } from './conventions.js';
import { TAGS } from './tags.js';

const DESCRIPTION =
  `Scrapes posts and comments of a public discussion platform, stores them per workspace, scores them and
serves them.

Every request carries an API key in \`X-API-Key\`; \`Authorization: Bearer rp_…\` is accepted in its place. A key belongs to
one workspace and has scopes: \`read\`, \`write\`, \`admin\`, each containing the one before. Refusals are RFC 9457 problem
documents with a stable \`code\`. A POST sent with an \`Idempotency-Key\` is done once, however often it is repeated within
24 hours. Unknown fields and unknown query parameters are refused.`.replaceAll(/(\S)\n(\S)/g, '$1 $2');

/** The contract of everything that the application serves, OpenAPI 3.1. Does not need the application to listen. */
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
    .addSecurityRequirements('apiKey')
    .addSecurityRequirements('bearer');
  for (const { name, description } of Object.values(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDto],
    operationIdFactory: operationId,
  });
  return applyConventions(document);
}

/** Names that the rule below would get wrong. Clients are generated from them, so they stay as they are. */
const OPERATION_IDS: Record<string, string> = {
  'JobEventsController.follow': 'followJob',
  'PostsController.annotations': 'getPostAnnotations',
  'MediaController.list': 'listPostMedia',
  'MediaController.get': 'getPostMedia',
  'AlertsController.listMatches': 'listAlertMatches',
  'AlertDeliveriesController.history': 'getAlertDelivery',
  'AlertDeliveriesController.redeliver': 'redeliverAlertDelivery',
  'WebhookDeliveriesController.history': 'getWebhookDelivery',
  'WebhookDeliveriesController.redeliver': 'redeliverWebhookDelivery',
  'WebhookDeliveriesController.test': 'testWebhook',
};

/**
 * `JobsController.list` is `listJobs`, `JobsController.cancel` is `cancelJob`; a method whose name tells its thing
 * already (`listForums`) keeps it.
 */
export function operationId(controller: string, method: string): string {
  const own = OPERATION_IDS[`${controller}.${method}`];
  if (own !== undefined) return own;
  if (/[A-Z]/.test(method)) return method;
  const things = controller.replace(/Controller$/, '');
  return method + (method === 'list' ? things : things.replace(/s$/, ''));
}
