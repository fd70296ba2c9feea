import type { createAdministratorPtBR } from './pt-br.ts'

export function createAdministratorEn() {
  return {
    role_given: {
      subject: 'You are now a Portaria administrator',
      title: "You have access to Portaria's console",
      lead: {
        owner: 'You have the owner role: in the console you can do everything, including giving access to others and taking it away.',
        support:
          'You have the support role: in the console you help users and look after purchases, without seeing secrets or giving access to anyone.',
        viewer: 'You have the viewer role: in the console you see what happens, without personal data, and cannot change anything.',
      },
      secondFactor:
        'Sign in with the account you already have. Before that, turn on two-step verification or create a passkey under “Your account”: administrators protect everyone else too.',
      button: 'Open the console',
      notYou: 'If you did not expect this, tell the people who run Portaria. Nothing has changed in how you sign in.',
      why: 'You received this email because an owner of Portaria gave this access to your account.',
    },
    endpoint_failing: {
      subject: 'An event endpoint has failed for a day',
      title: 'An event endpoint has failed for a day',
      lead: 'Portaria cannot deliver events to one of your systems: nothing has arrived there for a day. No event is lost: all are kept for 90 days and can be delivered again.',
      todo: 'See in the console what the receiver answered, and fix it. If the failures continue, deliveries stop at the time shown above, and you will be notified again.',
      button: 'See the endpoint',
      why: 'You received this email because you are an owner of Portaria.',
    },
    endpoint_disabled: {
      subject: 'An event endpoint was disabled',
      title: 'An event endpoint was disabled',
      lead: {
        failing: 'Deliveries to one of your systems failed for five days, and Portaria has stopped sending.',
        gone: 'One of your systems answered 410, which means that the address is gone, and Portaria has stopped sending.',
      },
      todo: 'Fix the receiver and send a test in the console: if it arrives, deliveries resume. Then use “Deliver again since…” for what happened in between: events are kept for 90 days.',
      button: 'See the endpoint',
      why: 'You received this email because you are an owner of Portaria.',
    },
  } satisfies ReturnType<typeof createAdministratorPtBR>
}
