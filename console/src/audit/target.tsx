import { Link } from '@mui/material'
import { Link as RouterLink } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { CopyText } from '../kit/show/copy-text.tsx'
import { usePlans, useProducts } from '../payments/offers.ts'
import { productPath } from '../products/product.ts'
import { UserName } from '../users/user-name.tsx'
import { auditTexts } from './texts.ts'

/** The target of an action: users, products and plans by their name, others by their id. */
export function Target({ action, target }: { action: string; target: string }) {
  switch (action.split('.')[0]) {
    case 'user':
      return <UserName id={target} />
    case 'product':
      return <ProductLink id={target} />
    case 'plan':
      return <PlanName id={target} />
    default:
      return <Id id={target} />
  }
}

function ProductLink({ id }: { id: string }) {
  const product = useProducts().find((one) => one.id === id)
  if (!product) return <Id id={id} />
  return (
    <Link component={RouterLink} to={productPath(id)}>
      {product.name}
    </Link>
  )
}

function PlanName({ id }: { id: string }) {
  return usePlans().find((one) => one.id === id)?.name ?? <Id id={id} />
}

function Id({ id }: { id: string }) {
  const texts = useTexts(auditTexts)
  return <CopyText text={id} label={texts.id} short={16} />
}
