import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { ownAddress } from '../../http/request/own-address.js';
import { Public } from '../../http/request/public.decorator.js';
import { resourceMetadata, serverMetadata } from './oauth-addresses.js';

/** The addresses where assistants get access. */
@ApiExcludeController()
@Controller('.well-known')
@Public()
export class OAuthMetadataController {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'PUBLIC_URL'>) {}

  @Get(['oauth-protected-resource', 'oauth-protected-resource/mcp'])
  resource(@Req() request: Request): object {
    return resourceMetadata(ownAddress(request, this.environment.PUBLIC_URL));
  }

  @Get('oauth-authorization-server')
  server(@Req() request: Request): object {
    return serverMetadata(ownAddress(request, this.environment.PUBLIC_URL));
  }
}
