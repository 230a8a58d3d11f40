/** Texts of the pages that links in mails open. */
export const mailLinksTexts = {
  toSettings: 'To the settings',
  confirm: {
    title: 'Confirm your address',
    text: 'Notifications of the alerts that you chose are then sent to this address.',
    submit: 'Confirm',
    done: 'The address is confirmed.',
  },
  unsubscribe: {
    title: 'Stop these emails',
    text: 'You are then no longer notified of this alert. Others who are notified of it stay so.',
    submit: 'Stop',
    done: 'You are no longer notified of this alert.',
  },
};
