import type { ExecutionContext, NestInterceptor } from '@nestjs/common';
import { firstValueFrom, of } from 'rxjs';
import { ChangeInterceptors } from './change-interceptors.js';

describe('ChangeInterceptors', () => {
  it.each([
    ['GET', {}, 0],
    ['HEAD', {}, 0],
    ['GET', { 'content-length': '0' }, 0],
    // A body that the operation does not read is rejected by one of the interceptors.
    ['GET', { 'content-length': '2' }, 1],
    ['GET', { 'transfer-encoding': 'chunked' }, 1],
    ['POST', {}, 1],
    ['DELETE', {}, 1],
  ])('run for %s with %j: %i', async (method, headers, expected) => {
    let runs = 0;
    const counting: NestInterceptor = {
      intercept: (_context, next) => {
        runs += 1;
        return next.handle();
      },
    };
    const context = { switchToHttp: () => ({ getRequest: () => ({ method, headers }) }) };
    const answer = await new ChangeInterceptors([counting]).intercept(context as ExecutionContext, {
      handle: () => of('answer'),
    });
    expect([await firstValueFrom(answer), runs]).toEqual(['answer', expected]);
  });
});
