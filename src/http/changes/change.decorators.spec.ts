import { type CallHandler, Controller, Get, type NestInterceptor } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Server } from 'node:http';
import request from 'supertest';
import { CHANGE_INTERCEPTORS, Delete, Patch, Post } from './change.decorators.js';

@Controller('things')
class ThingsController {
  @Get()
  list(): string {
    return 'listed';
  }

  @Post()
  create(): string {
    return 'created';
  }

  @Patch(':id')
  update(): string {
    return 'updated';
  }

  @Delete([':id', ':id/parts'])
  delete(): string {
    return 'deleted';
  }
}

describe('interceptors of changes', () => {
  const ran: string[] = [];
  const recording = (name: string): NestInterceptor => ({
    intercept: (_context, next: CallHandler) => {
      ran.push(name);
      return next.handle();
    },
  });

  it.each([
    ['get', '/things', 'listed', []],
    ['post', '/things', 'created', ['first', 'second']],
    ['patch', '/things/1', 'updated', ['first', 'second']],
    ['delete', '/things/1', 'deleted', ['first', 'second']],
    ['delete', '/things/1/parts', 'deleted', ['first', 'second']],
  ] as const)('of %s %s, which answers "%s", are %j', async (method, path, answer, expected) => {
    const module = await Test.createTestingModule({
      controllers: [ThingsController],
      providers: [{ provide: CHANGE_INTERCEPTORS, useValue: [recording('first'), recording('second')] }],
    }).compile();
    const app = module.createNestApplication({ logger: false });
    await app.init();
    ran.length = 0;
    try {
      const { text } = await request(app.getHttpServer() as Server)[method](path);
      expect(text).toBe(answer);
      expect(ran).toEqual(expected);
    } finally {
      await app.close();
    }
  });
});
