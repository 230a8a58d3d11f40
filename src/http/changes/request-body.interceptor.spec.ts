import type { ExecutionContext } from '@nestjs/common';
import { of } from 'rxjs';
import { RequestBodyInterceptor } from './request-body.interceptor.js';

it.each([
  { of: 'an unknown caller', who: {}, isRead: false },
  { of: 'a caller with a key', who: { caller: {} }, isRead: true },
  { of: 'an operator', who: { isAdmin: true }, isRead: true },
  { of: 'a caller that signs in', who: { isSignIn: true }, isRead: true },
])('is the body of a request $of read: $isRead', async ({ who, isRead }) => {
  const request = { ...who, headers: { 'content-length': '1' }, is: () => false };
  const context = {
    getHandler: () => () => undefined,
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({}) }),
  } as unknown as ExecutionContext;
  const answered = new RequestBodyInterceptor().intercept(context, { handle: () => of(null) });
  const code = await answered.then(
    () => null,
    (error: { code?: string }) => error.code,
  );
  expect(code).toBe(isRead ? 'unsupported_media_type' : null);
});
