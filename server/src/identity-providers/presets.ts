import type { ProviderMark } from '../pages/index.ts'
import type { IdentityProvider } from './provider.ts'

type Preset = Readonly<Pick<IdentityProvider, 'name' | 'kind' | 'issuer' | 'authoritativeFor'>>

/**
 * Known providers, with the values that are the same for everybody who connects them: the issuer to the letter, the protocol, and the
 * domains whose mailboxes the provider gives out itself. The operator fills in each word in braces.
 */
export const PROVIDER_PRESETS = {
  google: { name: 'Google', kind: 'openid', issuer: 'https://accounts.google.com', authoritativeFor: ['gmail.com'] },
  microsoft: { name: 'Microsoft', kind: 'openid', issuer: 'https://login.microsoftonline.com/{tenant}/v2.0', authoritativeFor: [] },
  apple: {
    name: 'Apple',
    kind: 'apple',
    issuer: 'https://appleid.apple.com',
    authoritativeFor: ['privaterelay.appleid.com', 'icloud.com', 'me.com', 'mac.com'],
  },
  facebook: { name: 'Facebook', kind: 'facebook', issuer: 'https://www.facebook.com', authoritativeFor: [] },
  github: { name: 'GitHub', kind: 'github', issuer: 'https://github.com', authoritativeFor: [] },
  keycloak: { name: 'Keycloak', kind: 'openid', issuer: 'https://{host}/realms/{realm}', authoritativeFor: [] },
} as const satisfies Record<string, Preset>

/**
 * The mark that a provider's button may show. It is that of the company which the issuer names, whatever the operator calls the provider.
 * Each domain is the company's own, so no other provider has it.
 */
export function markOf({ issuer }: Pick<IdentityProvider, 'issuer'>): ProviderMark | undefined {
  return MARKS.find(([start]) => issuer === start || issuer.startsWith(`${start}/`))?.[1]
}

const MARKS: readonly [issuer: string, mark: ProviderMark][] = [
  [PROVIDER_PRESETS.google.issuer, 'google'],
  ['https://login.microsoftonline.com', 'microsoft'],
  [PROVIDER_PRESETS.apple.issuer, 'apple'],
  [PROVIDER_PRESETS.facebook.issuer, 'facebook'],
  [PROVIDER_PRESETS.github.issuer, 'github'],
]

export function findPreset(name: string): Preset | undefined {
  return Object.entries(PROVIDER_PRESETS).find(([one]) => one === name)?.[1]
}
