import { completeProfileEn } from './complete-profile/en.ts'
import { credentialsEn } from './credentials/en.ts'
import { loginEn } from './login/en.ts'
import { myAccountEn } from './my-account/en.ts'
import { passkeysEn } from './passkeys/en.ts'
import { ownProfileEn } from './profile/en.ts'
import type { Texts } from './pt-br.ts'
import { secondFactorEn } from './second-factor/en.ts'

export const en = {
  fixFields: 'Check the fields below:',
  optional: '(optional)',
  wrongPassword: 'Wrong password',
  tooManyRequests: 'Too many requests in a row',
  tooManyRequestsAdvice: (wait: string) => `We have paused to prevent abuse. Try again in ${wait}.`,
  emailErrors: {
    required: 'Enter your email.',
    invalid: 'This email does not look right. Check whether something is missing, such as the @.',
  },
  backToAccount: 'Back to your account',
  ...loginEn,
  callback: {
    title: 'Signing you in…',
    lead: 'If nothing happens, continue with the button.',
  },
  welcome: {
    title: (name: string) => `Hello, ${name}!`,
    lead: 'All set. Just a moment…',
    leadFor: (product: string) => `All set. Taking you to ${product}…`,
    continue: 'Continue now',
    sharingTitle: (name: string, product: string) => `${name}, this is your first time at ${product}`,
    sharingLead: (host: string) => `Continuing takes you to ${host}.`,
    receives: (product: string) => `${product} will receive:`,
    scopeProfile: 'Your profile: name, photo, company and plan',
    scopeEmail: 'Your email',
    scopeOther: (scope: string) => `Permission: ${scope}`,
    neverShared: 'Your password, CPF or CNPJ and phone are not shared.',
    continueTo: (product: string) => `Continue to ${product}`,
    cancel: 'Cancel',
  },
  ...completeProfileEn,
  signedOut: {
    title: 'You are signed out',
    lead: 'See you soon! To use the apps again in this browser, sign in with your password.',
    signInAgain: 'Sign in again',
    back: (host: string) => `Back to ${host}`,
  },
  account: {
    title: 'Your account',
    lead: 'All set: open any app of the family without typing your password again.',
    signOut: 'Sign out',
    settings: 'Account settings',
    changePassword: 'Change password',
    changeEmail: 'Change email',
  },
  ...credentialsEn,
  ...myAccountEn,
  ...ownProfileEn,
  ...passkeysEn,
  ...secondFactorEn,
  badFlow: {
    title: 'This sign-in is no longer valid',
    lead: 'It expired or started in another browser. Go back to the app you came from and sign in again.',
    signIn: 'Sign in to your account',
  },
  planMissing: {
    title: 'Your plan does not include this app',
    lead: 'You are signed in, but your plan does not include access to this app.',
    app: 'App:',
    otherAccount: 'Use another account',
    purchases: 'See my purchases',
  },
  refusedStart: {
    title: 'We could not start the sign-in',
    lead: 'The app you came from sent a request that we cannot accept. Go back and try again.',
    forDevelopers: 'If this keeps happening, send this code to the people who run the app:',
  },
} satisfies Texts
