import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { createContract } from './contract.js';

/** Swagger UI at `/docs`, the contract itself at `/docs-json`. */
export function serveDocumentation(app: NestExpressApplication): void {
  SwaggerModule.setup('docs', app, () => createContract(app), {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Workspace Scraping Service',
    raw: ['json'],
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true },
  });
}
