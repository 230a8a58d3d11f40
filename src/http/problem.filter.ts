import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application, Request, Response } from 'express';
import { answerFailure } from './problem-answer.js';

/** Failures of operations and of what stands before them. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly adapters: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const app = this.adapters.httpAdapter.getInstance<Application>();
    answerFailure(exception, app, http.getRequest<Request>(), http.getResponse<Response>());
  }
}
