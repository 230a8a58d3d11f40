import { Injectable } from '@nestjs/common';
import { Listeners } from '../../tenants/ports/listeners.js';
import { SavedSearchesRepository } from './saved-searches.repository.js';

/** Registers the saved searches for which sources are read. */
@Injectable()
export class ListeningSearches {
  constructor(listeners: Listeners, searches: SavedSearchesRepository) {
    listeners.register({
      version: () => searches.listenersVersion(),
      list: () => searches.listeners(),
      listened: (workspaceId, tx) => searches.listened(workspaceId, tx),
    });
  }
}
