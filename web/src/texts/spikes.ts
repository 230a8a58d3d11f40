/** Texts of unusual days in charts. */
export const spikesTexts = {
  count: (count: string, expected: string) => `${count} instead of about ${expected}`,
};
