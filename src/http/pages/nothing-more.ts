/** Answered with 204: what the client asks for has ended, and it should not ask again. */
export class NothingMore extends Error {}
