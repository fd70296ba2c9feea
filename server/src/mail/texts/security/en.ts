import type { createSecurityPtBR } from './pt-br.ts'

export function createSecurityEn(service: string) {
  return {
    password_changed: {
      subject: 'Your password was changed',
      title: 'Your password was changed',
      lead: 'The password of your account has just been changed. If it was you, there is nothing to do.',
      button: 'Not me: recover the account',
      notYou: 'If it was not you, recover the account now.',
      why: 'You received this email because we tell you whenever the password of your account changes.',
      passkeysStay: 'Your passkeys still work. If one of them is not yours, remove it under “Your account”.',
    },
    passkey_added: {
      subject: 'New passkey on your account',
      title: 'Your account has a new passkey',
      lead: 'It signs in to your account without a password. If you created it, there is nothing to do.',
      button: 'This wasn’t me: protect the account',
      notYou: 'If it wasn’t you, someone else can get into your account. Protect it now: the passkey will stop working.',
      why: 'You received this email because we tell you when the ways to sign in to your account change.',
    },
    passkey_removed: {
      subject: 'Passkey removed from your account',
      title: 'A passkey was removed from your account',
      lead: 'It no longer gives access to the account, and the browsers that signed in with it are signed out, except the one that removed it. If it was you, there is nothing to do.',
      button: 'This wasn’t me: protect the account',
      notYou: 'If it wasn’t you, someone may be inside your account. Protect it now.',
      why: 'You received this email because we tell you when the ways to sign in to your account change.',
    },
    new_device: {
      subject: 'New sign-in to your account',
      title: 'Your account was opened on a new device',
      lead: 'Someone signed in to your account on a device we had not seen before. If it was you, there is nothing to do.',
      button: 'Not me: protect the account',
      notYou: 'If it was not you, someone may know your password. Protect the account now.',
      why: 'You received this email because we tell you when your account is opened on a new device.',
    },
    second_factor_on: {
      subject: 'Two-step verification is on',
      title: 'Two-step verification is on',
      lead: 'From now on, signing in to your account also asks for the code from your app. If you turned it on, there is nothing to do.',
      button: 'Not me: protect the account',
      notYou: 'If it was not you, someone may be in your account. Protect it now: that also turns off what they turned on.',
      why: 'You received this email because we tell you when the way to sign in to your account changes.',
    },
    second_factor_off: {
      subject: 'Two-step verification is off',
      title: 'Two-step verification was turned off',
      lead: 'Signing in to your account no longer asks for the code from your app, and your recovery codes no longer work. If it was you, there is nothing to do.',
      button: 'Not me: protect the account',
      notYou: 'If it was not you, protect the account now.',
      why: 'You received this email because we tell you when the way to sign in to your account changes.',
    },
    recovery_codes_renewed: {
      subject: 'New recovery codes',
      title: 'Your account has new recovery codes',
      lead: 'Someone created new recovery codes, and the previous ones no longer work. If it was you, there is nothing to do.',
      button: 'Not me: protect the account',
      notYou: 'If it was not you, someone is inside your account. Protect it now.',
      why: 'You received this email because we tell you when the way to sign in to your account changes.',
    },
    factors_removed: {
      subject: 'Support has changed how you sign in',
      title: 'Support has changed how you sign in',
      lead: 'Two-step verification is off, recovery codes and passkeys no longer work, and the account is signed out of every browser. Sign in with your password or another service, and turn on again what you want. If you asked support for this, there is nothing more to do.',
      button: 'Not me: protect the account',
      notYou: 'If it was not you who asked, someone may have posed as you. Protect the account now.',
      why: 'You received this email because we tell you when the way to sign in to your account changes.',
    },
    recovery_code_used: {
      subject: 'A recovery code was used',
      title: 'A recovery code was used',
      lead: 'Someone signed in to your account with one of your recovery codes instead of the app. If it was you, there is nothing to do.',
      button: 'Not me: protect the account',
      notYou: 'If it was not you, protect the account now.',
      why: 'You received this email because we tell you whenever a recovery code of your account is used.',
    },
    impersonated: {
      subject: 'Support opened your account on your behalf',
      title: 'Support opened your account on your behalf',
      lead: `Someone on the team that runs ${service} opened your account, for 15 minutes at most, to see what you see.`,
      limits:
        'This way they cannot see or change your password, email, data, two-step verification, passkeys or consents, and cannot export or delete anything. Under “Where you are signed in” you can see this access and end it.',
      notYou: 'If you did not ask for help and the reason makes no sense to you, ask support: there is a record of who opened it.',
      why: 'You received this email because we always tell you when someone from support opens your account on your behalf.',
    },
  } satisfies ReturnType<typeof createSecurityPtBR>
}
