import type { Page } from 'playwright-core'

/** A device of the user in one tab, as the browser's developer tools make it. */
export interface VirtualDevice {
  /** Whether somebody is at the device, who touches it whenever it asks: they choose from the browser's list of passkeys, too. */
  attend(who: 'somebody' | 'nobody'): Promise<void>
  /** Whether the device takes the finger for its owner's. */
  recognise(who: 'owner' | 'stranger'): Promise<void>
}

/** Gives a tab a device that can hold passkeys, with its owner at it. */
export async function addDevice(tab: Page): Promise<VirtualDevice> {
  const tools = await tab.context().newCDPSession(tab)
  await tools.send('WebAuthn.enable')
  const traits = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  const { authenticatorId } = await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...traits, isUserVerified: true, automaticPresenceSimulation: true },
  })
  return {
    attend: async (who) => {
      await tools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: who === 'somebody' })
    },
    recognise: async (who) => {
      await tools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: who === 'owner' })
    },
  }
}
