import { Link } from '@mui/material'
import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router-dom'
import { adminPath } from '../api/admin-http.ts'
import { useMay } from '../console-context.ts'
import { type Endpoint, endpointPath } from '../endpoints/endpoint.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { type IdentityProvider, providerPath } from '../identity-providers/provider.ts'
import { CopyText } from '../kit/show/copy-text.tsx'
import { usePlanName } from '../kit/use-plan-name.ts'
import { useProductName } from '../kit/use-product-name.ts'
import { SELDOM, useRead } from '../kit/use-read.ts'
import { usePlans, useProducts } from '../payments/offers.ts'
import { planTexts } from '../plans/texts.ts'
import { productPath } from '../products/product.ts'
import { type Subscription, subscriptionPath } from '../subscriptions/subscription.ts'
import type { Token } from '../tokens/token.ts'
import { auditTexts } from './texts.ts'

/** The log has ids and slugs. These say the names, as far as what they belong to is still there. */

const SHOWN = 16

/** A long id by its end, which is what differs; anything shorter as it is. */
export function Id({ id }: { id: string }) {
  const texts = useTexts(auditTexts)
  return <CopyText text={id} label={texts.id} short={SHOWN} />
}

/** A product by its id or its slug; of a plan or a look it may be the operator. */
export function ProductName({ named }: { named: string }) {
  const { ofOperator } = useTexts(planTexts)
  const product = useProducts().find(({ id, slug }) => id === named || slug === named)
  if (named === 'operator' && !product) return ofOperator
  return product ? <To path={productPath(product.id)}>{product.name}</To> : <Id id={named} />
}

/** A plan by its id. */
export function PlanOf({ id }: { id: string }) {
  return usePlans().find((one) => one.id === id)?.name ?? <Id id={id} />
}

/** Identity providers are a few: one read has them all. */
export function ProviderName({ id, known }: { id: string; known?: string | undefined }) {
  const { data } = useRead<{ data: IdentityProvider[] }>('identity-providers?limit=100', SELDOM)
  const found = data?.data.find((one) => one.id === id)
  return found ? <To path={providerPath(id)}>{found.name}</To> : (known ?? <Id id={id} />)
}

/** An address that events are delivered to. `known`: the one that the entry itself has, which may be removed since. */
export function EndpointName({ id, known }: { id: string; known?: string | undefined }) {
  const { data } = useRead<Endpoint>(adminPath('endpoints', id), SELDOM)
  return data ? <To path={endpointPath(id)}>{known ?? data.url}</To> : (known ?? <Id id={id} />)
}

/** A token by its name, for an owner: others may not list tokens. */
export function TokenName({ id }: { id: string }) {
  return useMay('tokens:read') ? <KnownToken id={id} /> : <Id id={id} />
}

function KnownToken({ id }: { id: string }) {
  const { data } = useRead<{ data: Token[] }>('tokens?limit=100', SELDOM)
  return data?.data.find((one) => one.id === id)?.name ?? <Id id={id} />
}

/** A subscription by its plan and its product. */
export function SubscriptionName({ id }: { id: string }) {
  const { data } = useRead<Subscription>(adminPath('subscriptions', id), SELDOM)
  const [planName, productName] = [usePlanName(), useProductName()]
  if (!data) return <Id id={id} />
  const names = [
    ...(data.plan_slug === null ? [] : [planName(data.plan_slug, data.product)]),
    ...(data.product === null ? [] : [productName(data.product)]),
  ]
  return <To path={subscriptionPath(id)}>{names.join(' · ') || `…${id.slice(-SHOWN)}`}</To>
}

export function To({ path, children }: { path: string; children: ReactNode }) {
  return (
    <Link component={RouterLink} to={path}>
      {children}
    </Link>
  )
}
