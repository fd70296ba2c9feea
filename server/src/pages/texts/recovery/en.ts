import type { recoveryPtBR } from './pt-br.ts'

export const recoveryEn = {
  recover: {
    title: 'Forgot your password?',
    lead: 'Enter the email of your account and we will send a link to create a new password.',
    submit: 'Send link',
    remembered: 'Remembered it?',
  },
  recoverySent: {
    lead: 'If there is an account with',
    leadEnd: ', we have sent it a link to create a new password. It is valid for 30 minutes.',
    otherAddress: 'Still nothing? Your account may use another email.',
    back: 'Back to sign in',
  },
  newPassword: {
    label: 'New password',
    reset_password: {
      title: 'Create a new password',
      lead: 'Saving signs you in here, and signs your account out everywhere else.',
      submit: 'Save and sign in',
    },
    invitation: {
      title: 'Choose your password',
      lead: 'Your account is ready, one for every app. Only the password is missing.',
      submit: 'Save and sign in',
    },
  },
  ticketExpired: {
    title: 'This link is no longer valid',
    sign_up: {
      lead: 'It ran out of time or has been used. Create the account again: it takes a minute.',
      begin: 'Create account',
      already: 'Confirmed already?',
    },
    reset_password: {
      lead: 'It is valid for 30 minutes and works once. Ask for another one.',
      begin: 'Ask for another link',
      already: 'Changed your password already?',
    },
    invitation: {
      lead: 'The invitation ran out of time or has been used. Ask for a link to create your password.',
      begin: 'Ask for a link',
      already: 'Have a password already?',
    },
    report_sign_in: {
      lead: 'It ran out of time or has been used. If something still worries you, create a new password.',
      begin: 'Create a new password',
      already: 'All is well?',
    },
    undo_deletion: {
      lead: 'The 7 days are over, the link has been used, or the account is no longer being deleted.',
      begin: 'Sign in',
      already: 'Back already?',
    },
    change_email: {
      lead: 'It ran out of time, has been used, or the email is no longer free. Ask for another link in your account.',
      begin: 'Open your account',
      already: 'Confirmed already?',
    },
  },
} satisfies typeof recoveryPtBR
