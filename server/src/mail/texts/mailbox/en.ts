import type { createMailboxPtBR } from './pt-br.ts'

export function createMailboxEn(service: string) {
  return {
    confirm_address: {
      subject: 'Confirm your email',
      title: 'Confirm your email',
      lead: 'This is the last step to create your account. Enter this code on the page where you signed up:',
      orButton: 'Or, if you prefer, confirm it here:',
      button: 'Confirm email',
      validity: (time: string) => `The code and the button are valid for ${time}.`,
      notYou: 'If it was not you who signed up, do not confirm. Without confirmation nobody can use this email.',
      why: `You received this email because someone gave your address when creating an account at ${service}.`,
    },
    account_exists: {
      subject: `You already have an account at ${service}`,
      title: 'You already have an account',
      lead: 'Someone tried to create an account with this email, but there is one already. If it was you, just sign in.',
      button: 'Sign in to my account',
      orRecover: 'Forgot your password?',
      recover: 'Create a new password',
      notYou: 'If it was not you, there is nothing to do. Nothing has changed in your account.',
      why: `You received this email because someone gave your address when creating an account at ${service}.`,
    },
    reset_password: {
      subject: 'Create a new password',
      title: 'Create a new password',
      lead: 'We received a request to change the password of your account.',
      button: 'Create new password',
      validity: (time: string) =>
        `The button works once and is valid for ${time}. Changing the password signs your account out on your other devices.`,
      notYou: 'If it was not you, ignore this email: your password stays the same.',
      why: 'You received this email because someone asked for a new password for the account with your address.',
    },
    invitation: {
      subject: `Your account at ${service} is ready`,
      title: 'Your account is ready',
      lead: `An account was created for you at ${service}, the same one for every app. To start, choose your password.`,
      button: 'Choose my password',
      validity: (time: string) => `The invitation works once and is valid for ${time}.`,
      notYou: 'If you were not expecting this invitation, ignore this email.',
      why: `You received this email because an administrator of ${service} created an account with your address.`,
    },
    confirm_new_address: {
      subject: 'Confirm your new email',
      title: 'Confirm your new email',
      lead: 'To use this email for your account, confirm that it is yours:',
      button: 'Confirm new email',
      validity: (time: string) => `The button is valid for ${time}. Until you confirm, your account keeps its old email.`,
      notYou: 'If it was not you who asked for the change, do not confirm: this email will not be used.',
      why: `You received this email because someone gave your address as the new email of an account at ${service}.`,
    },
    confirm_own_address: {
      subject: 'Confirm the email of your account',
      title: 'Confirm the email of your account',
      lead: 'For the purchases made with this email to appear in your account, confirm that it is yours:',
      button: 'Confirm email',
      validity: (time: string) => `The button is valid for ${time}.`,
      notYou: 'If it was not you who asked, do not confirm: without it, nothing changes.',
      why: `You received this email because someone with an account at ${service} asked to confirm your address.`,
    },
    address_changed: {
      subject: 'The email of your account has changed',
      title: 'The email of your account has changed',
      lead: 'From now on your account uses another email, and you can no longer sign in with this one. If it was you, there is nothing to do.',
      button: 'Not me: protect the account',
      notYou: 'If it was not you, tell us now, so that the account is protected.',
      why: `You received this email because this was the address of your account at ${service}.`,
    },
  } satisfies ReturnType<typeof createMailboxPtBR>
}
