import { ApiError } from './errors.js';

/** The data of a response. Throws {@link ApiError} when it is a refusal. */
export async function dataOf<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer.catch((failure: unknown) => {
    // A proxy sent a page with status 200 where the contract promises JSON.
    if (isSyntaxError(failure))
      throw new ApiError(200, 'not_json', `The answer is not JSON: ${failure.message}`, null, null);
    throw failure;
  });
  if (response.ok) return data as T;
  throw await ApiError.from(response, error);
}

/**
 * Checks the name, because an error from another realm, e.g. a test runner's, is not an instance of this one's class.
 */
function isSyntaxError(failure: unknown): failure is Error {
  return (failure as Error | null)?.name === 'SyntaxError';
}
