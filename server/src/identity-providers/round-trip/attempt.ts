import { z } from 'zod'
import type { Now, Sealer } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { Discovery } from '../discovery.ts'

export interface RoundTripDeps {
  storage: Storage
  discovery: Discovery
  sealer: Sealer
  /** `PORTARIA_URL` + `/auth/callback`: the one address all providers are given. */
  callbackUrl: string
  now: Now
}

/** `since`: seconds of the machine's clock, which the client library checks tokens by; only where the user must authenticate anew. */
export const attempt = z.object({ flow: z.string(), verifier: z.string(), nonce: z.string(), since: z.number().optional() })

export const place = (stateHash: string) => `idp_attempts.sealed.${stateHash}`
