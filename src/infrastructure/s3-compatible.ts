/** Options of S3 clients for stores other than Amazon's, which also takes them. */
export const S3_COMPATIBLE = {
  forcePathStyle: true,
  // Otherwise checksums are sent as trailers, which many S3-compatible stores reject.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const;
