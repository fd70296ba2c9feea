import type { loginPtBR } from './pt-br.ts'

export const loginEn = {
  login: {
    title: 'Sign in to your account',
    titleFor: (product: string) => `Sign in to ${product}`,
    lead: 'One account for every app.',
    leadFor: (name: string) => `Use your ${name} account, the same for every app.`,
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    emailMissing: 'Enter your email.',
    passwordMissing: 'Enter your password.',
    wrongCredentials: 'Wrong email or password',
    wrongCredentialsAdvice: 'Check both and enter the password again.',
    checkEmail: 'Check your email.',
    checkPassword: 'Enter the password again.',
    tooManyAttempts: 'Too many attempts in a row',
    tooManyAttemptsAdvice: (wait: string) => `We have paused to protect your account. Try again in ${wait}.`,
    busy: 'Many people are signing in right now',
    busyAdvice: 'Wait a few seconds and try again.',
    fewMinutes: 'a few minutes',
    forgotten: 'Forgot your password?',
    noAccount: 'No account yet?',
    signUp: 'Create one',
    or: 'or',
    signInWith: (provider: string) => `Sign in with ${provider}`,
    notices: {
      provider_denied: {
        title: (provider: string) => `You cancelled at ${provider}`,
        advice: () => 'Nothing has changed. Try again, or sign in with your password.',
      },
      provider_unreachable: {
        title: (provider: string) => `${provider} is not answering`,
        advice: () => 'Try again in a few minutes, or sign in with your password.',
      },
      provider_failed: {
        title: (provider: string) => `We could not sign you in with ${provider}`,
        advice: () => 'Its answer could not be used. Try again, or sign in with your password.',
      },
      provider_not_recent: {
        title: (provider: string) => `${provider} did not confirm it was you`,
        advice: (provider: string) =>
          `This step needs a new sign-in, and the answer came from an old one. Sign out at ${provider} and try again, or sign in with your password.`,
      },
      provider_gave_no_address: {
        title: (provider: string) => `${provider} did not share your email`,
        advice: (provider: string) =>
          `We need it to open your account. Allow the email at ${provider} and try again, or create an account here.`,
      },
      link_with_password: {
        title: () => 'Your email already has an account',
        advice: (provider: string) =>
          `It is the same email you use at ${provider}. Sign in just this once, with your passkey if the account asks for it or else with your password, and ${provider} will be connected to your account.`,
      },
      deletion_pending: {
        title: () => 'This account is being deleted',
        advice: () =>
          'You asked for it. To keep the account, open the link in the email we sent that day: it is valid for 7 days. Can’t find it? Ask support.',
      },
      authenticate_again: {
        title: () => 'Confirm it’s you',
        advice: () => 'For your security, sign in again to continue.',
      },
      authenticate_with_passkey: {
        title: () => 'Confirm it’s you',
        advice: () => 'This account requires your passkey: sign in with it to continue.',
      },
      confirm_email: {
        title: () => 'Sign in to confirm the email',
        advice: () => 'Use the email the account has today: a new one only works once you confirm it.',
      },
    },
  },
  otherUser: {
    title: 'Which account do you want to use?',
    lead: 'Another account signed in with this browser while you were finishing. Choose which one to continue with.',
    signedInAs: 'Signed in now',
    expected: 'The account you started with',
    continueAs: (name: string) => `Continue as ${name}`,
    signInAgain: 'Sign in with another account',
    signInAgainAs: (name: string) => `Sign in as ${name}`,
  },
} satisfies typeof loginPtBR
