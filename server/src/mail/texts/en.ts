import { createAdministratorEn } from './administrators/en.ts'
import { createMailboxEn } from './mailbox/en.ts'
import type { Texts } from './pt-br.ts'
import { createSecurityEn } from './security/en.ts'

export function createEn(service: string) {
  return {
    greeting: (name: string) => `Hello ${name},`,
    greetingUnnamed: 'Hello,',
    linkAsText: 'If the button does not open, copy this address into your browser:',
    neverAsked: `Nobody at ${service}, support included, will ever ask for your codes or your password. Do not give them to anyone.`,
    automatic: 'This message is automatic: replies are not read.',
    answerable: 'Questions? Reply to this email.',
    timeZone: (offset: string) => `Brasília time, ${offset}`,
    facts: {
      when: 'When',
      device: 'Device',
      ip: 'IP address',
      newAddress: 'New email',
      codesLeft: 'Codes left',
      until: 'Until',
      reason: 'Reason',
      endpoint: 'Endpoint',
      product: 'Product',
      since: 'Since',
      lastAnswer: 'Last answer',
      disablesAt: 'Will be disabled',
    },
    ...createMailboxEn(service),
    ...createSecurityEn(service),
    deletion_requested: {
      subject: 'Your account will be deleted',
      title: 'Your account will be deleted',
      lead: 'We received the request to delete your account. It is closed, and nobody can sign in to it.',
      due: (when: string) => `Your personal data will be deleted on ${when}.`,
      changedMind: 'Changed your mind? Until then nothing is deleted:',
      button: 'Keep the account',
      validity: (time: string) => `The button is valid for ${time}.`,
      notYou: 'If it was not you who asked, undo the deletion now, sign in, and change your password.',
      why: 'You received this email because someone signed in to your account asked for it to be deleted.',
    },
    account_deleted: {
      subject: 'Your account was deleted',
      title: 'Your account was deleted',
      lead: 'The time to change your mind is over, and your personal data was deleted, as requested.',
      kept: 'Only the figures of your purchases remain, without your name or your email. If a subscription is still active, cancel it with the seller.',
      last: 'This is our last email: after it, we do not keep your address either.',
      why: 'You received this email because the deletion of the account with your address was requested.',
    },
    ...createAdministratorEn(),
    identity_linked: {
      subject: 'A new way to sign in to your account',
      title: 'A new way to sign in to your account',
      lead: (provider: string) =>
        `You can now sign in to your account with ${provider} too. If it was you who linked them, there is nothing to do.`,
      button: 'Not me: protect the account',
      notYou: 'If it was not you, protect the account now.',
      why: 'You received this email because we tell you when the ways to sign in to your account change.',
    },
    identity_unlinked: {
      subject: 'A sign-in method was removed',
      title: 'A sign-in method was removed from your account',
      lead: (provider: string) =>
        `${provider} was unlinked from your account, and the browsers that signed in with an account from another service are signed out, except the one that unlinked it. If ${provider} provides your email address, signing in with it links it again. If it was you who unlinked it, there is nothing to do.`,
      button: 'Not me: protect the account',
      notYou: 'If it was not you, someone may be inside your account. Protect it now.',
      why: 'You received this email because we tell you when the ways to sign in to your account change.',
    },
    account_claimed: {
      subject: 'Your account is now yours alone',
      title: 'Your account is now yours alone',
      lead: (provider: string) =>
        `There was already an account with your email, but whoever created it never confirmed the address. You signed in with ${provider}, which confirmed that it is yours, and the account is now yours.`,
      removed: 'For your security we removed what the other person had left: password, open sessions, CPF or CNPJ and phone.',
      nextTime: (provider: string) => `There is nothing to do. To sign in, use ${provider}.`,
      why: 'You received this email because the account with your address is now yours.',
    },
  } satisfies Texts
}
