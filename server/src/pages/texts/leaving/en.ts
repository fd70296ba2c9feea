import type { leavingPtBR } from './pt-br.ts'

export const leavingEn = {
  ownData: {
    title: 'Download my data',
    lead: 'A JSON file with everything we keep about you.',
    holds: 'In the file:',
    items: [
      'your profile, with CPF or CNPJ in full, and how you sign in',
      'where you signed in, what you agreed to and what you bought',
      'payment notifications about you, emails sent (type and time) and the record of changes to the account',
    ],
    never: 'Passwords and codes are not included: we only keep what is needed to check them.',
    submit: 'Download the file',
    careful: 'Keep it safe: anyone who opens the file can read everything.',
  },
  ownDelete: {
    title: 'Delete the account',
    lead: 'You have 7 days to change your mind. After that it cannot be undone.',
    goingOn: 'These payments will not stop on their own',
    goingOnAdvice:
      'Deleting the account cancels no charge. First cancel each subscription in the app where you bought it, or with the company that charges you.',
    consequences: 'If you continue:',
    now: 'Your account is closed now, and you are signed out of every app and browser.',
    mail: 'We send an email with a link that undoes the deletion for 7 days.',
    afterwards: 'After the 7 days your personal data is deleted.',
    purchases: 'Purchases and subscriptions are not cancelled: cancel them first with the seller. Only figures remain, without your name.',
    typeAddress: 'To confirm, type the email of the account',
    mismatch: 'This is not the email of this account.',
    submit: 'Delete my account',
    lastOwner: 'This account cannot be deleted now',
    lastOwnerAdvice: 'You are the only owner of this service. Add another one first.',
    doneTitle: 'Your account is closed',
    doneLead: 'Your data will be deleted on',
    doneMail: 'Changed your mind? The link in the email we have just sent undoes the deletion until then. We sent it to',
  },
  undoDeletion: {
    title: 'Keep the account',
    lead: 'Someone asked for this account to be deleted. Undo that, and the account is as it was before.',
    submit: 'Undo the deletion',
    notYou: 'Wasn’t it you? Undo it, sign in, and change your password.',
    doneTitle: 'Your account is back',
    doneLead: 'Nothing was deleted. Sign in again to use the apps.',
    signIn: 'Sign in',
  },
} satisfies typeof leavingPtBR
