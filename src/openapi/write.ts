import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { API_PREFIX, PATHS_WITHOUT_PREFIX } from '../http/request/paths.js';
import { parseEnvironment } from '../config/environment.js';
import { asyncContractOf } from './async-contract.js';
import { createContract } from './contract.js';

/** The texts of `docs/openapi.json` and `docs/asyncapi.json`. */
export interface ContractTexts {
  openApi: string;
  asyncApi: string;
}

/** Generates the contracts. Starts nothing: in preview mode Nest creates no providers. */
export async function contractTexts(): Promise<ContractTexts> {
  const environment = parseEnvironment({ ROLES: 'api' });
  const app = await NestFactory.create(AppModule.for(environment), {
    preview: true,
    logger: ['error'],
    abortOnError: false,
  });
  app.setGlobalPrefix(API_PREFIX, { exclude: [...PATHS_WITHOUT_PREFIX] });
  const contract = createContract(app);
  return { openApi: textOf(contract), asyncApi: textOf(asyncContractOf(contract)) };
}

const textOf = (contract: object): string => `${JSON.stringify(contract, null, 2)}\n`;
