import type { ExecutionContext, NestInterceptor } from '@nestjs/common';
import { firstValueFrom, of } from 'rxjs';
import { ChangeInterceptors } from './change-interceptors.js';

describe('ChangeInterceptors', () => {
  it.each([
    ['GET', {}, 0],
    ['HEAD', {}, 0],
    ['GET', { 'content-length': '0' }, 0],
    // A body that no operation reads is refused by one of them.
    ['GET', { 'content-length': '2' }, 1],
    ['GET', { 'transfer-encoding': 'chunked' }, 1],
    ['POST', {}, 1],
    ['DELETE', {}, 1],
  ])('for %s with %j run: %i', async (method, headers, expected) => {
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
