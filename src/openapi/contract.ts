import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { VERSION } from '../common/version.js';
import { operationId } from '../http/request/operation-id.js';
import { SESSION_COOKIE } from '../http/request/session-cookie.js';
import { ProblemDto } from '../http/problems/problem.dto.js';
import { ADMIN_SECURITY, applyConventions, SECTIONS } from './conventions.js';
import { documentWebhooks, EVENT_SCHEMAS } from './webhook-contract.js';

const DESCRIPTION =
  `Scrapes posts and comments of forums, social networks, mailing lists and feeds, stores them per workspace, scores their
sentiment and serves them.

Send an API key in \`X-API-Key\` with every request; \`Authorization: Bearer rp_…\` also works. A key belongs to
one workspace and has scopes: \`read\`, \`write\`, \`admin\`, each of which includes the previous one. Operations below \`/admin\`
need the operator's admin token as a bearer token instead. Errors are RFC 9457 problem
documents with a stable \`code\`. A POST with an \`Idempotency-Key\` takes effect once, even if it is repeated within
24 hours. Unknown fields and unknown query parameters are refused.`.replaceAll(/(\S)\n(\S)/g, '$1 $2');

/**
 * The OpenAPI 3.1 document for every operation that the application serves. The application does not have to be
 * listening.
 */
export function createContract(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Workspace Scraping Service')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    // Placeholder of a published repository, as in package.json.
    .setContact('Maintainers', 'https://example.org/workspace-scraping-service', 'maintainers@example.org')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'This server')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'apiKey')
    .addCookieAuth(SESSION_COOKIE, { type: 'apiKey', in: 'cookie' }, 'session')
    // Not with addBearerAuth, which calls every token a JWT.
    .addSecurity('bearer', { type: 'http', scheme: 'bearer', description: 'An API key (`rp_…`)' })
    .addSecurity(ADMIN_SECURITY, {
      type: 'http',
      scheme: 'bearer',
      description: "The operator's ADMIN_TOKEN",
    })
    .addSecurityRequirements('apiKey')
    .addSecurityRequirements('bearer')
    .addSecurityRequirements('session');
  for (const { name, description } of SECTIONS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDto, ...EVENT_SCHEMAS],
    operationIdFactory: operationId,
  });
  return applyConventions(documentWebhooks({ ...document, paths: sortedByKey(document.paths) }));
}

/** So that the order of the paths does not follow that of the modules. */
const sortedByKey = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Serves Swagger UI at `/docs` and the OpenAPI document at `/docs-json`. */
export function serveDocumentation(app: NestExpressApplication): void {
  SwaggerModule.setup('docs', app, () => createContract(app), {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Workspace Scraping Service',
    raw: ['json'],
    swaggerOptions: { persistAuthorization: false, displayRequestDuration: true },
  });
}
