import { endpointStore } from '../app-events/index.ts'
import type { Sealer } from '../kit/index.ts'
import { productStore } from '../products/index.ts'
import type { Transaction } from '../storage/index.ts'
import { administratorStore, mailLanguage, queueMail } from '../users/index.ts'
import { disablesAt } from './deliveries/retries.ts'
import type { Attempt } from './deliveries/send.ts'

export interface MailDeps {
  sealer: Sealer
  /** `PORTARIA_URL`. */
  baseUrl: string
}

/** A change of an endpoint's health. Times in ms. */
interface Failure {
  id: string
  what: 'failing' | 'disabled_failing' | 'disabled_gone'
  since: number
  attempt: Attempt | undefined
}

/** Notifies every owner by mail of an endpoint that fails or was disabled, in the transaction that notes it: each once. */
export async function mailOwners(tx: Transaction, { id, what, since, attempt }: Failure, { sealer, baseUrl }: MailDeps, at: number) {
  const endpoint = await endpointStore(tx).findById(id)
  if (!endpoint) return
  const { host, pathname } = new URL(endpoint.url)
  const product = endpoint.productId === undefined ? undefined : await productStore(tx).findById(endpoint.productId)
  const about = {
    endpoint: endpoint.description === '' ? `${host}${pathname}` : `${endpoint.description} (${host}${pathname})`,
    product: product?.name,
    since,
    answer: String(attempt?.status ?? attempt?.fault ?? ''),
    url: `${baseUrl}/admin/endpoints/${id}/show`,
  }
  for (const owner of await administratorStore(tx).listOwners()) {
    const to = { to: owner.email, language: mailLanguage(owner) }
    const data = { ...about, name: owner.name }
    if (what === 'failing') {
      const ends = disablesAt({ failingSince: since, warnedAt: at })
      await queueMail(tx, { ...to, kind: 'endpoint_failing', data: { ...data, disablesAt: ends } }, { sealer, at })
    } else {
      const cause = what === 'disabled_gone' ? 'gone' : 'failing'
      await queueMail(tx, { ...to, kind: 'endpoint_disabled', data: { ...data, cause } }, { sealer, at })
    }
  }
}
