/** The job was cancelled or taken over by another worker: whatever is under way must not be written. */
export class LeaseLost extends Error {
  constructor() {
    super('The job was cancelled or taken over');
  }
}

/** This process stops: another worker goes on. */
export class WorkerStopping extends Error {
  constructor() {
    super('The worker is stopping');
  }
}
