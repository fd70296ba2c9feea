import { Alert, Link } from '@mui/material'
import { Link as RouterLink } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { useProducts } from '../payments/offers.ts'
import { productPath } from '../products/product.ts'
import { testTexts } from './texts.ts'

/** For a product whose payments come from gateways, which this test does not cover. `slug`: the chosen product's. */
export function GatewaysNote({ slug }: { slug: string }) {
  const texts = useTexts(testTexts)
  const product = useProducts().find((one) => one.slug === slug)
  if (product?.checkout !== 'integrated') return undefined
  return (
    <Alert severity="info" sx={{ mt: 1 }}>
      {texts.gateways(product.name)}{' '}
      <Link component={RouterLink} underline="always" to={productPath(product.id)}>
        {texts.productPage}
      </Link>
      .
    </Alert>
  )
}
