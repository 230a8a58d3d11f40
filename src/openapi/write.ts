import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { API_PREFIX, PATHS_WITHOUT_PREFIX } from '../http/request/paths.js';
import { parseEnvironment } from '../config/environment.js';
import { createContract } from './contract.js';

/** Generates the text of `docs/openapi.json`. Starts nothing: in preview mode Nest creates no providers. */
export async function contractText(): Promise<string> {
  const environment = parseEnvironment({ ROLES: 'api' });
  const app = await NestFactory.create(AppModule.for(environment), {
    preview: true,
    logger: ['error'],
    abortOnError: false,
  });
  app.setGlobalPrefix(API_PREFIX, { exclude: [...PATHS_WITHOUT_PREFIX] });
  return `${JSON.stringify(createContract(app), null, 2)}\n`;
}
