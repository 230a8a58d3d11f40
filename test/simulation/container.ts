import 'reflect-metadata';
import { SELF_DECLARED_DEPS_METADATA } from '@nestjs/common/constants.js';
import { getDataSourceToken, getRepositoryToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';

type Class<T = object> = abstract new (...dependencies: never[]) => T;

/**
 * The instances of one process of the service, made from what their constructors name, as Nest makes them but without
 * modules: a process can be started and thrown away within a millisecond.
 */
export class Container {
  private readonly instances = new Map<unknown, unknown>();

  constructor(dataSource: DataSource, given: readonly (readonly [token: unknown, instance: unknown])[]) {
    this.instances.set(getDataSourceToken(), dataSource);
    for (const { target } of dataSource.entityMetadatas)
      if (typeof target === 'function')
        this.instances.set(getRepositoryToken(target), dataSource.getRepository(target));
    for (const [token, instance] of given) this.instances.set(token, instance);
  }

  get<T extends object>(type: Class<T>): T {
    if (!this.instances.has(type)) this.instances.set(type, this.make(type));
    return this.instances.get(type) as T;
  }

  private make(type: Class): object {
    const types = (Reflect.getMetadata('design:paramtypes', type) ?? []) as unknown[];
    const tokens = (Reflect.getMetadata(SELF_DECLARED_DEPS_METADATA, type) ?? []) as {
      index: number;
      param: unknown;
    }[];
    for (const { index, param } of tokens) types[index] = param;
    const dependencies = types.map((dependency) => {
      if (this.instances.has(dependency)) return this.instances.get(dependency);
      if (typeof dependency === 'function' && dependency !== Object) return this.get(dependency as Class);
      throw new Error(`${type.name} needs ${String(dependency)}, which the simulation does not provide`);
    });
    return new (type as unknown as new (...dependencies: unknown[]) => object)(...dependencies);
  }
}
