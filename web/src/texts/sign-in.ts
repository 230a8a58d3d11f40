/** Texts of the page on which people sign in. */
export const signInTexts = {
  title: 'Sign in',
  withKey: 'Sign in with an API key',
  byLink:
    'This link signs you in to a workspace. If you did not ask for it, close this page: you would work in the workspace of the person who sent it.',
  explanation:
    'Use an API key of your workspace. Your browser does not store the key, only a session that lasts 12 hours.',
  key: 'API key',
  hint: 'Starts with rp_. Is it lost? An owner of the workspace or an operator of the service can create another one.',
  submit: 'Sign in',
  submitting: 'Signing in …',
  ended: 'Your session has ended. Sign in again to continue where you left off.',
  invalid: 'Unknown API key. Check that you copied all of it.',
  revoked: 'This key has been revoked. Ask for a new one.',
  withAccount: 'Sign in with your account',
  or: 'or with an API key',
  problems: {
    cancelled: 'The sign-in was cancelled.',
    expired: 'The sign-in took too long or began in another browser. Try again.',
    failed: 'The identity provider did not confirm the sign-in. Try again, or ask the operator.',
    not_invited: 'Your account is not a member of a workspace. Ask an owner to add your address.',
    other_account:
      'Another account has signed in with your address before. Ask an owner to remove you and add you again.',
    suspended: 'The workspace is suspended. Ask the operator of the service.',
    unverified: 'Your identity provider has not verified your address. Ask its administrator.',
  } as Record<string, string>,
};
