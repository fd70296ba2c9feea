import { callbackUrlOf } from '../../admin/index.ts'
import type { Config } from '../../config.ts'
import type { IdentityProvider } from '../../identity-providers/index.ts'
import { fields } from '../command/layout.ts'

export function beliefOf({ authoritativeFor }: IdentityProvider): string | undefined {
  if (!authoritativeFor.includes('*')) return undefined
  return 'It may vouch for every address, so its operator can open any account here: right only for a provider of your own.'
}

export function nextSteps({ id }: IdentityProvider, config: Config): string {
  return `Now:
  1. Register this redirect URI at the provider:  ${callbackUrlOf(config)}
  2. Check the connection:  portaria idp test ${id}`
}

export function providerFields({ id, name, kind, issuer, clientId, authoritativeFor, accessTokenAudience }: IdentityProvider): string {
  return fields([
    ['id', id],
    ['name', name],
    ['kind', kind],
    ['issuer', issuer],
    ['client id', clientId],
    ['authoritative for', authoritativeFor.join(' ') || 'no domain: addresses are verified by mail'],
    ['access tokens', accessTokenAudience === undefined ? 'not accepted' : `accepted for ${accessTokenAudience}`],
  ])
}
