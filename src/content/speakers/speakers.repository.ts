import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { SOURCES } from '../../platforms/registry.js';
import { isAccount } from '../suppressions/suppressed-subject.js';
import { type Account, selectSpeakers, type Speaker } from './select-speakers.js';

/** What a workspace has of the authors of texts. */
@Injectable()
export class SpeakersRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  /** The authors of posts and comments, by the platform id of each; without those whose account is gone. */
  async find(
    workspaceId: string,
    texts: readonly { id: string; author: string }[],
  ): Promise<Map<string, Speaker>> {
    const named = texts
      .filter(({ author }) => isAccount(author))
      .map(({ id, author }) => ({ id, author, source: SOURCES.sourceOf(id) }));
    const accounts = new Map(named.map((one) => [keyOf(one), one]));
    if (accounts.size === 0) return new Map();
    const { text, parameters } = selectSpeakers(workspaceId, [...accounts.values()]);
    const found = await this.transactions.readViews((tx) => tx.query<Speaker[]>(text, parameters));
    const speakers = new Map(found.map((speaker) => [keyOf(speaker), speaker]));
    return new Map(
      named.flatMap((one) => {
        const speaker = speakers.get(keyOf(one));
        return speaker === undefined ? [] : [[one.id, speaker] as const];
      }),
    );
  }
}

const keyOf = ({ source, author }: Account): string => `${source} ${author}`;
