import type { ForwardAuthRefusal } from '../../forward-auth/index.ts'

const forwardAuth = {
  forward_auth_needs_internal:
    'an external product can not stand behind a proxy that asks Portaria: the proxy would pass the session of the domain on to it',
  plans_missing: 'no plan is named: give `--forward-auth plan=SLUG`, or any-plan',
  too_many_hosts: 'a product has 100 hosts at most',
} as const

const forwardedHosts = {
  host_malformed: 'is no host in normal form: lower-case letters, digits, hyphens and dots, with a port only where it is not the usual one',
  host_off_domain: 'is not below the internal domain: browsers send the session to no other host, so nobody could ever enter',
  host_is_own: "is Portaria's own host",
  host_taken: 'is registered for another product: a host belongs to one',
  host_not_found: 'is no host of this product: see `portaria product show SLUG`',
} as const satisfies Record<Extract<ForwardAuthRefusal, { host: string }>['refusal'], string>

export function forwardAuthSentence(refused: ForwardAuthRefusal): string {
  if ('plan' in refused)
    return `there is no plan ${JSON.stringify(refused.plan)} of the operator or of this product: see \`portaria plan list\``
  if ('host' in refused) return `${JSON.stringify(refused.host)} ${forwardedHosts[refused.refusal]}`
  return forwardAuth[refused.refusal]
}
