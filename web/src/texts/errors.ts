/** Texts of failures, and of fields that are not valid. */
export const errorsTexts = {
  offline: 'The service cannot be reached. Check your connection and that the service is running.',
  unexpected: 'Something went wrong.',
  validity: {
    missing: 'Fill in this field.',
    number: (from: string, to: string) => `Enter a number from ${from} to ${to}.`,
    badNumber: 'Enter a number.',
    address: 'Enter a whole address, for example https://example.com/path.',
    email: 'Enter an email address, for example me@example.com.',
  },
  restored: 'Your input from before is still here. Cancel discards it.',
  pageFailed: 'This page could not be shown',
  pageFailedHint: 'Your data is safe. Try again, or report the steps that led here to the operator.',
  entry: (number: number) => `Entry ${number}`,
  requestId: (id: string) => `Request ID for the operator: ${id}`,
};
