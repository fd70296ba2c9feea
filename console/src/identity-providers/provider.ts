import type { Fault } from '../faults/fault.ts'

/** An identity provider, in the API's form. */
export interface IdentityProvider {
  /** The operator's name for it, part of addresses. */
  id: string
  name: string
  kind: 'openid' | 'apple' | 'facebook' | 'github'
  issuer: string
  client_id: string
  /** Mail domains; `*` for any. */
  authoritative_for: string[]
  access_token_audience: string | null
  created_at: string
  /** To be registered at the provider. */
  redirect_uri: string
}

/** A known provider, with the values that are the same for everybody who connects it. */
export type Preset = Pick<IdentityProvider, 'id' | 'name' | 'kind' | 'issuer' | 'authoritative_for'>

export interface Presets {
  redirect_uri: string
  presets: Preset[]
}

/** The body of a request, made of a form. Apple's three parts become the secret. */
export function bodyOf({ apple, ...form }: Record<string, unknown>): Record<string, unknown> {
  if (typeof apple !== 'object') return form
  return { ...form, client_secret: JSON.stringify({ ...apple, private_key: form.client_secret }) }
}

export const checks = ['discovery', 'code_flow', 'pkce', 'keys', 'issuer_parameter', 'client'] as const
export type Result = 'ok' | 'warn' | 'fail'

/** One step of a provider's test, with its result. */
export interface Finding extends Fault {
  check: (typeof checks)[number]
  result: Result
}

export interface Findings {
  ok: boolean
  findings: Finding[]
}

export function providerPath(id: string): string {
  return `/identity-providers/${encodeURIComponent(id)}/show`
}

/** The findings from before a provider was connected, out of the history's state, which may hold anything. */
export function foundIn(state: unknown): Findings | undefined {
  if (typeof state !== 'object' || state === null || !('found' in state)) return undefined
  return state.found as Findings | undefined
}
