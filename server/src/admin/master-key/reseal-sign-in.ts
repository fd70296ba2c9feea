import { providerStore } from '../../identity-providers/index.ts'
import type { Sealer } from '../../kit/index.ts'
import { listSealedJobs, resealJob } from '../../outbox/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { secondFactorStore, ticketStore } from '../../users/index.ts'
import type { Resealed } from './reseal.ts'
import { allOf, type Column, reseal, type Sealed } from './reseal.ts'
import type { Keyed } from './reseal-keys.ts'

/**
 * Values that wait for a user or a mail server. Tickets' codes become void, their hashes being keyed; their links stay valid. A secret
 * of an app that waits for its first code goes: only the session that began it opens it, and its user begins anew.
 */
export async function resealSignIn(tx: Transaction, sealer: Sealer): Promise<Omit<Resealed, keyof Keyed | 'taxIds'>> {
  const providers = providerStore(tx)
  const tickets = ticketStore(tx)
  const factors = secondFactorStore(tx)
  await factors.removePending()
  const secrets: Column<Sealed> = {
    name: 'identity_providers.client_secret_sealed',
    page: allOf(await providers.listSealedSecrets()),
    reseal: providers.resealSecret,
  }
  const jobs: Column<Sealed & { isDead: boolean }> = {
    name: 'outbox.payload_sealed',
    page: (after) => listSealedJobs(tx, after),
    reseal: (id, sealed) => resealJob(tx, id, sealed),
    isLost: ({ isDead }) => isDead,
  }
  return {
    identityProviders: await reseal(secrets, sealer),
    tickets: await reseal({ name: 'tickets.payload_sealed', page: tickets.listSealed, reseal: tickets.reseal }, sealer),
    secondFactors: await reseal({ name: 'totp_factors.secret_sealed', page: factors.listSealed, reseal: factors.reseal }, sealer),
    outbox: await reseal(jobs, sealer),
    idpAttempts: await reseal({ name: 'idp_attempts.sealed', page: providers.listSealedAttempts, reseal: providers.resealAttempt }, sealer),
  }
}
