import type { framePtBR } from './pt-br.ts'

export const frameEn: typeof framePtBR = {
  error: 'Error',
  description: (name: string) => `${name}: one account for all your apps.`,
  languages: 'Language',
  support: 'Support',
  terms: 'Terms of use',
  privacy: 'Privacy',
  password: { show: 'Show', hide: 'Hide', what: 'password' },
  requestId: 'If you need help, mention this code:',
  goHome: 'Go to the start page',
  tryAgain: 'Try again',
  impersonation: {
    label: 'On behalf of somebody else',
    as: (name: string) => `You are acting as ${name}`,
    by: (name: string) => `Acting: ${name}`,
    until: (time: string) => `Until ${time}, Brasília time`,
    stop: 'Stop and go back to the console',
  },
  badRequest: {
    title: 'We could not understand this request',
    message: 'The address or the data arrived incomplete. Go back to the previous page and try again.',
  },
  forbidden: {
    title: 'We could not accept this request',
    message: 'It did not come from one of our pages. Go back, reload the page and try again.',
  },
  notFound: {
    title: 'Page not found',
    message: 'Check the address, or go back to the app you came from.',
  },
  tooLarge: {
    title: 'That is too much to send',
    message: 'Go back, shorten what you typed and send it again.',
  },
  tooMany: {
    title: 'Too many requests in a row',
    message: 'We have paused for up to an hour to prevent abuse. Try again later, or sign in with your password.',
  },
  fault: {
    title: 'Something went wrong on our side',
    message: 'The problem has been recorded and is not your fault. Try again in a few minutes.',
  },
  consoleNotBuilt: {
    title: 'The console has not been built yet',
    message: 'The person who runs the service must run npm run build in its folder; then reload this page.',
  },
  moving: {
    title: 'Back in a few minutes',
    message: 'We are moving, and nothing is lost. If you are signed in, your apps go on as usual; signing in works again in a few minutes.',
  },
  away: {
    title: 'We are away for a moment',
    message: 'Nothing was lost. Wait a minute and reload the page.',
  },
}
