import type { secondFactorPtBR } from './pt-br.ts'

/** The page of the user's own second factor, in English. */
export const secondFactorEn = {
  secondFactorSettings: {
    title: 'Two-step verification',
    offLead:
      'Besides your password, signing in asks for a code that only your phone shows. Someone who learns your password still cannot get in.',
    begin: 'Turn on',
    whichApps: 'It works with any authenticator app, such as Google Authenticator, Microsoft Authenticator, 1Password or Aegis.',
    everySignInMethod: 'The code is asked for at every sign-in, including through another provider or a link in an email.',
    turnedOff: 'Two-step verification is off',
    turnedOffAdvice: 'Signing in no longer asks for the code. Your recovery codes no longer work.',
    pendingTitle: 'Turn on two-step verification',
    scan: 'In your authenticator app, add an account and scan this code:',
    qrLabel: 'QR code for the authenticator app. The same key is written below.',
    orType: 'No camera? Type this key into the app:',
    openApp: 'On the phone with the app? Open it there',
    thenType: 'Then type the 6-digit code that the app shows:',
    code: '6-digit code',
    confirm: 'Turn verification on',
    wrongCode: 'Wrong code',
    wrongCodeAdvice: 'Type the code that the app shows now. If that fails, check that your phone sets its time automatically.',
    setUpOver: 'This set-up is over',
    setUpOverAdvice:
      'It ran out of time or was begun again in another browser. Begin anew, and remove from the app the entry you have just added.',
    onLead: 'It is on: signing in to your account also asks for the code from your app.',
    state: 'Current status',
    onSince: (day: string) => `On since ${day}`,
    codesLeft: (count: number) => (count === 1 ? '1 recovery code left' : `${count} recovery codes left`),
    few: (count: number) =>
      count === 0
        ? 'You have no recovery codes left'
        : count === 1
          ? 'Only 1 recovery code is left'
          : `Only ${count} recovery codes are left`,
    fewAdvice: 'Without them and without your phone, only support can help. Create new ones now.',
    renewHint: 'Lost the codes, or someone saw them? Create new ones: the old ones stop working.',
    renew: 'Create new codes',
    offHint: 'To change phones, turn it off, and on again with the new one.',
    turnOff: 'Turn verification off',
    turnOffSure: 'Without it, anyone who knows your password can get in. The recovery codes stop working too.',
    turnOffNow: 'Turn off now',
    done: 'All set?',
    turnedOn: 'Verification is on',
    renewed: 'New codes',
    keepLead: 'Keep these recovery codes. Without your phone, they let you in.',
    codes: 'Recovery codes',
    eachOnce: 'Each works once, instead of the code from the app.',
    printOrCopy: 'Print this page, or copy the codes into your password manager.',
    onlyNow: 'They are shown only now. Do not keep them on the phone that has the app.',
    copy: 'Copy',
    copied: 'Copied',
    download: 'Download',
    print: 'Print',
    fileName: 'recovery-codes.txt',
    kept: 'I have saved them',
  },
} satisfies typeof secondFactorPtBR
