import { isSubject, providerStore } from '../../../identity-providers/index.ts'
import { productStore } from '../../../products/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import { OPERATOR_SCOPE, planStore } from '../../../subscriptions/index.ts'
import type { LineRefusal } from './files/import-record.ts'
import type { ImportedUser } from './imported-user.ts'

/** A user whose line names only providers and plans that are here. */
export interface ReadyUser extends Omit<ImportedUser, 'identities' | 'plan'> {
  identities: ReadonlyArray<{ providerId: string; issuer: string; subject: string }>
  plan: { slug: string; planId: string; productId: string | undefined; until: number | undefined } | undefined
}

export type Resolve = (user: ImportedUser) => ReadyUser | LineRefusal

/** Looks up the providers and plans that lines name. They are read once for an import. */
export async function readReferences(db: Queryable, { identities: wanted }: { identities: 'import' | 'leave_out' }): Promise<Resolve> {
  const [providers, plans, products] = [await providerStore(db).list(), await planStore(db).list(), await productStore(db).listNames()]
  const identitiesOf = ({ identities }: ImportedUser): ReadyUser['identities'] | LineRefusal => {
    const found = new Map<string, ReadyUser['identities'][number]>()
    for (const { provider, subject } of wanted === 'import' ? identities : []) {
      const known = providers.find(({ id, issuer }) => id === provider || issuer === provider)
      if (!known) return { refused: notConnected(provider) }
      if (!isSubject(subject)) return { refused: 'identities: a subject has 1 to 255 visible characters' }
      found.set(`${known.issuer} ${subject}`, { providerId: known.id, issuer: known.issuer, subject })
    }
    return [...found.values()]
  }
  const planOf = ({ plan }: ImportedUser): ReadyUser['plan'] | LineRefusal => {
    if (!plan) return undefined
    const product = products.find(({ slug }) => slug === plan.product)
    if (plan.product !== undefined && !product) return { refused: 'plan_product: there is no such product' }
    const named = plans.filter(({ slug }) => slug === plan.slug)
    const found = named.find(({ scope }) => scope === product?.id) ?? named.find(({ scope }) => scope === OPERATOR_SCOPE)
    return found ? { slug: plan.slug, planId: found.id, productId: product?.id, until: plan.until } : { refused: NO_PLAN }
  }
  return (user) => {
    const identities = identitiesOf(user)
    if ('refused' in identities) return identities
    const plan = planOf(user)
    return plan && 'refused' in plan ? plan : { ...user, identities, plan }
  }
}

const NO_PLAN = "plan: there is no such plan: see `portaria plan list`; a product's own plan needs plan_product"

function notConnected(provider: string): string {
  return `identities: ${provider} is not connected here: connect it, or leave all links out with --no-identities`
}
