import type { signUpPtBR } from './pt-br.ts'

export const signUpEn = {
  signUp: {
    consent: {
      before: 'By creating an account you agree to the ',
      terms: 'terms of use',
      and: ' and the ',
      privacy: 'privacy policy',
      after: '.',
    },
    title: 'Create your account',
    lead: 'One account for every app.',
    leadFor: (product: string) => `To sign in to ${product}. One account for all the apps.`,
    name: 'Your name',
    submit: 'Create account',
    haveAccount: 'Already have an account?',
    nameErrors: {
      required: 'Enter your name.',
      invalid: 'Enter your name in letters only.',
      too_long: 'This name is too long. Use up to 100 letters.',
    },
  },
  checkMail: {
    title: 'Check your email',
    lead: 'We sent a message to',
    leadCode: 'Enter the six digits from it here.',
    code: '6-digit code',
    submit: 'Confirm',
    linkToo: 'The button in the message works too, instead of the code.',
    lookInSpam: 'Nothing there? Wait a minute and look in spam as well.',
    haveAccount: 'If you already have an account, the message says how to sign in, without a code.',
    wrongAddress: 'Wrong email, or nothing came?',
    beginAgain: 'Start again',
    wrongCode: 'Wrong code',
    wrongCodeAdvice: 'Check the code in the latest message and enter it again.',
    asFile: 'No email has left this machine',
    asFileAdvice: (folder: string) =>
      `Without PORTARIA_SMTP_URL each message becomes a file in ${folder}, in Portaria's folder. Open the newest: it has the code and the link.`,
    codeExpired: 'This code is no longer valid',
    codeGoneAdvice: 'It expired, was used, or was mistyped too many times. Start again to get another one.',
    confirmedAlready: 'Already confirmed with the button?',
  },
  verify: {
    title: 'Confirm your email',
    lead: 'One tap, and your account is ready.',
    leadPassword: 'This is not the browser you created the account in. To be sure it is you, enter the password you chose.',
    password: 'The password you chose',
    submit: 'Confirm and sign in',
    wrongPasswordAdvice: 'Enter the password you chose when you created the account.',
    tooManyAttemptsAdvice:
      'For your security we have paused for up to an hour. Open the link in the browser you created the account in, or create the account again.',
    notYou: 'Didn’t create this account? Close this page: without the confirmation, nothing happens.',
    elsewhereTitle: 'Open it in the other browser',
    elsewhereLead: 'You started in another browser or device. Open this link there, or enter the code from the message there.',
  },
} satisfies typeof signUpPtBR
