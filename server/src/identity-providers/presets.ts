import type { IdentityProvider } from './provider.ts'

type Preset = Readonly<Pick<IdentityProvider, 'name' | 'kind' | 'issuer' | 'authoritativeFor'>>

/**
 * What is the same at everybody who connects one of these: the issuer to the letter, what it speaks, and the domains whose mailboxes it
 * gives out itself. A word in braces is the operator's to fill in.
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

export function findPreset(name: string): Preset | undefined {
  return Object.entries(PROVIDER_PRESETS).find(([one]) => one === name)?.[1]
}
