/** Answered with 204: the stream has ended, and the client should not ask again. */
export class NothingMore extends Error {}
