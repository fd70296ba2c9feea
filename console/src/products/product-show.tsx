import { Button, Link as MuiLink } from '@mui/material'
import { Link } from 'react-router-dom'
import { AppearanceSection } from '../appearance/appearance-section.tsx'
import { useMay } from '../console-context.ts'
import { EndpointsSection } from '../endpoints/endpoints-section.tsx'
import { useTexts } from '../i18n/use-texts.ts'
import { ListPart } from '../kit/list/list-page.tsx'
import { ManagedBy } from '../kit/show/managed-by.tsx'
import { Section } from '../kit/show/section.tsx'
import { ShowPage } from '../kit/show/show-page.tsx'
import { Money } from '../kit/show/values.tsx'
import type { Plan } from '../plans/plan.ts'
import { DetailsSection } from './details-section.tsx'
import { ForwardAuthSection } from './doors/forward-auth-section.tsx'
import { OpenIdSection } from './doors/openid-section.tsx'
import { SnippetsSection } from './doors/snippets-section.tsx'
import { GatewaysSection } from './gateways/gateways-section.tsx'
import { MatrixSection } from './gateways/matrix-section.tsx'
import { ApiKeysSection } from './keys/api-keys-section.tsx'
import { WebhookKeysSection } from './keys/webhook-keys-section.tsx'
import type { ProductDetails } from './product.ts'
import { ProductTabs } from './product-tabs.tsx'
import { productTexts } from './texts.ts'
import { UrisSection } from './uris-section.tsx'

/** One app: its addresses, its keys, its gateways. */
export function ProductShow() {
  return (
    <ShowPage<ProductDetails> back="/products" title={({ name }) => name} actions={(product) => <Actions product={product} />}>
      {(product) => (
        <>
          <ManagedBy kind="product" id={product.id} />
          <ProductTabs product={product} parts={partsOf(product)} />
        </>
      )}
    </ShowPage>
  )
}

function partsOf(product: ProductDetails) {
  return {
    overview: (
      <>
        <DetailsSection product={product} />
        <PlansSection product={product} />
      </>
    ),
    sign_in: (
      <>
        <UrisSection product={product} />
        <OpenIdSection product={product} />
        <ForwardAuthSection product={product} />
        <SnippetsSection product={product} />
      </>
    ),
    keys: (
      <>
        <ApiKeysSection product={product} />
        {product.checkout === 'integrated' && <WebhookKeysSection product={product} />}
      </>
    ),
    events: <EndpointsSection product={product} />,
    ...(product.checkout === 'integrated' && {
      payments: (
        <>
          <MatrixSection product={product} />
          <GatewaysSection product={product} />
        </>
      ),
    }),
    appearance: <AppearanceSection product={product} />,
  }
}

function Actions({ product: { id } }: { product: ProductDetails }) {
  const texts = useTexts(productTexts)
  const mayEdit = useMay('products:write')
  if (!mayEdit) return undefined
  return (
    <Button component={Link} to={`/products/${encodeURIComponent(id)}`} variant="outlined">
      {texts.edit}
    </Button>
  )
}

function PlansSection({ product: { slug } }: { product: ProductDetails }) {
  const texts = useTexts(productTexts)
  const mayEdit = useMay('plans:write')
  return (
    <Section
      title={texts.plans}
      actions={
        mayEdit && (
          <Button component={Link} to={newPlanPath(slug)} size="small">
            {texts.createPlan}
          </Button>
        )
      }
    >
      <ListPart<Plan>
        resource="plans"
        filter={{ product: slug }}
        label={texts.plans}
        sort={{ field: 'price', order: 'ASC' }}
        columns={[
          { label: texts.name, value: ({ name }) => name },
          { label: texts.price, value: ({ price }) => <Money centavos={price} /> },
        ]}
        empty={
          <>
            {texts.noPlans}{' '}
            <MuiLink component={Link} underline="always" to="/plans">
              {texts.operatorPlans}
            </MuiLink>
          </>
        }
        {...(mayEdit && { pathOf: ({ id }) => `/plans/${encodeURIComponent(id)}` })}
      />
    </Section>
  )
}

/** The form of a new plan, filled in as far as it is known. */
function newPlanPath(product: string): string {
  return `/plans/create?source=${encodeURIComponent(JSON.stringify({ product }))}`
}
