/** The job was cancelled or its lease was taken over: nothing more may be written for it by this execution. */
export class LeaseLost extends Error {
  constructor() {
    super('The job was cancelled or taken over');
  }
}

/** This process is stopping: another worker goes on with the job. */
export class WorkerStopping extends Error {
  constructor() {
    super('The worker is stopping');
  }
}
